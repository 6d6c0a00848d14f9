import { describe, expect, it } from '@jest/globals';
import { createSemaphore } from './semaphore.ts';

/** Whether the promise has settled by the end of this turn of the event loop. */
const isSettled = async (promise: Promise<unknown>): Promise<boolean> => {
  let settled = false;
  const note = () => {
    settled = true;
  };
  promise.then(note, note);
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
};

describe('a semaphore', () => {
  it('counts permits that were taken ahead of the work, and those of work that runs', async () => {
    const semaphore = createSemaphore(3);
    const [giveBack] = [semaphore.take(), semaphore.take()];
    const gate = Promise.withResolvers<string>();
    const running = semaphore.run(() => gate.promise);
    expect(semaphore.free()).toBe(0);
    giveBack?.();
    expect(semaphore.free()).toBe(1);
    gate.resolve('done');
    expect(await running).toBe('done');
    expect(semaphore.free()).toBe(2);
  });

  it('gives the permit of work that fails back', async () => {
    const semaphore = createSemaphore(1);
    const failing = semaphore.run(async () => {
      throw new Error('no luck');
    });
    await expect(failing).rejects.toThrow('no luck');
    expect(semaphore.free()).toBe(1);
  });

  it('wakes a caller that waits for room when the first permit returns', async () => {
    const semaphore = createSemaphore(2);
    const permits = [semaphore.take(), semaphore.take()];
    const waiting = semaphore.whenFree();
    expect(await isSettled(waiting)).toBe(false);
    permits[0]?.();
    expect(await isSettled(waiting)).toBe(true);
    expect(await isSettled(semaphore.whenFree())).toBe(true);
  });

  it('goes on waiting if another caller took the room at the same moment', async () => {
    const semaphore = createSemaphore(1);
    const first = semaphore.take();
    const waiting = semaphore.whenFree();
    first();
    const second = semaphore.take();
    expect(await isSettled(waiting)).toBe(false);
    second();
    expect(await isSettled(waiting)).toBe(true);
  });

  it('is idle when the last permit is back, and not before', async () => {
    const semaphore = createSemaphore(2);
    expect(await isSettled(semaphore.whenIdle())).toBe(true);
    const permits = [semaphore.take(), semaphore.take()];
    const idle = semaphore.whenIdle();
    permits[0]?.();
    expect(await isSettled(idle)).toBe(false);
    permits[1]?.();
    expect(await isSettled(idle)).toBe(true);
  });
});
