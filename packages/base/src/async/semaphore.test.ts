import { describe, expect, it } from '@jest/globals';
import { createSemaphore, type Semaphore } from './semaphore.ts';

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

/** Takes a permit, and returns its release. */
const take = (semaphore: Semaphore): (() => void) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  void semaphore.run(() => promise);
  return resolve;
};

describe('a semaphore', () => {
  it('counts permits that were taken ahead of the work, and those of work that runs', async () => {
    const semaphore = createSemaphore(3);
    const [release] = [take(semaphore), take(semaphore)];
    const gate = Promise.withResolvers<string>();
    const running = semaphore.run(() => gate.promise);
    expect(semaphore.free()).toBe(0);
    release?.();
    await semaphore.whenFree();
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
    const permits = [take(semaphore), take(semaphore)];
    const waiting = semaphore.whenFree();
    expect(await isSettled(waiting)).toBe(false);
    permits[0]?.();
    expect(await isSettled(waiting)).toBe(true);
    expect(await isSettled(semaphore.whenFree())).toBe(true);
  });

  it('goes on waiting if another caller took the room at the same moment', async () => {
    const semaphore = createSemaphore(1);
    const first = take(semaphore);
    const waiting = semaphore.whenFree();
    first();
    const second = take(semaphore);
    expect(await isSettled(waiting)).toBe(false);
    second();
    expect(await isSettled(waiting)).toBe(true);
  });

  it('is idle when the last permit is back, and not before', async () => {
    const semaphore = createSemaphore(2);
    expect(await isSettled(semaphore.whenIdle())).toBe(true);
    const permits = [take(semaphore), take(semaphore)];
    const idle = semaphore.whenIdle();
    permits[0]?.();
    expect(await isSettled(idle)).toBe(false);
    permits[1]?.();
    expect(await isSettled(idle)).toBe(true);
  });

  it('gives turns in the order of the calls, and none to a new caller in between', async () => {
    const semaphore = createSemaphore(1);
    const release = take(semaphore);
    const begun: number[] = [];
    const inTurn = (n: number) => semaphore.runInTurn(async () => void begun.push(n));
    const turns = [inTurn(1), inTurn(2)];
    expect(semaphore.waiting()).toBe(2);
    release();
    await Promise.all([...turns, inTurn(3)]);
    expect(begun).toEqual([1, 2, 3]);
    expect(semaphore.free()).toBe(1);
  });

  it('gives the turn of work that fails to the next', async () => {
    const semaphore = createSemaphore(1);
    const failing = expect(semaphore.runInTurn(() => Promise.reject(new Error('no luck')))).rejects.toThrow();
    expect(await semaphore.runInTurn(async () => 'luck')).toBe('luck');
    await failing;
  });

  it('leaves a caller out whose signal fires, also if its turn comes at the same moment', async () => {
    const semaphore = createSemaphore(1);
    const leaving = new AbortController();
    for (const isTurn of [false, true]) {
      const release = take(semaphore);
      const late = isTurn ? new AbortController() : leaving;
      const waiting = semaphore.runInTurn(async () => 'begun', late.signal).catch(() => 'left');
      late.abort();
      if (isTurn) release();
      expect(await waiting).toBe('left');
      release();
      await semaphore.whenIdle();
    }
    expect([semaphore.free(), semaphore.waiting()]).toEqual([1, 0]);
  });
});
