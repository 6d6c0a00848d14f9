import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { StoreRuntime } from '@tds/messaging/internals';
import { createIdle } from './idle.ts';

const never = new AbortController().signal;
const SOON_MS = 200;

/** Resolves to whether it ended before a timer of this process that began after it. */
const isShort = (pause: Promise<void>): Promise<boolean> =>
  Promise.race([pause.then(() => true), delay(SOON_MS, false)]);

const createFake = () => {
  const [pool, servicePool] = [new EventEmitter(), new EventEmitter()];
  const published: string[] = [];
  let hear: (failed: Error | null, message: { string(): string }) => void = () => {};
  const reconnected = new Set<() => void>();
  const bus = {
    isConnected: () => true,
    onConnect: (listener: () => void) => {
      reconnected.add(listener);
      return () => reconnected.delete(listener);
    },
    connection: {
      publish: (_subject: string, id: string) => void published.push(id),
      subscribe: (_subject: string, { callback }: { callback: typeof hear }) => {
        hear = callback;
        return { unsubscribe: () => {} };
      },
    },
  };
  const runtime = { bus, service: 'status', pool, servicePool, log: {} } as unknown as StoreRuntime;
  const idle = createIdle(runtime);
  idle.begin();
  return {
    idle,
    published,
    use: () => servicePool.emit('acquire'),
    save: () => servicePool.emit('release'),
    fail: () => pool.emit('error', new Error('gone')),
    reconnect: () => {
      for (const listener of reconnected) listener();
    },
    hear: (id: string) => hear(null, { string: () => id }),
  };
};

describe('the pause between polls', () => {
  it.each([
    ['this process has saved something', ({ save }) => save()],
    ['another instance works', ({ hear }) => hear('another')],
    ['a connection to the database was lost', ({ fail }) => fail()],
    ['the broker is back', ({ reconnect }) => reconnect()],
  ] satisfies [string, (fake: ReturnType<typeof createFake>) => unknown][])(
    'ends if %s',
    async (_what, act) => {
      const fake = createFake();
      const pause = fake.idle.pause(4_000, never);
      act(fake);
      expect(await isShort(pause)).toBe(true);
    },
  );

  it('does not begin if that has happened since the poll began', async () => {
    const { idle, save } = createFake();
    save();
    expect(await isShort(idle.pause(4_000, never))).toBe(true);
  });

  it('lasts no longer than the first of what is known waits', async () => {
    const { idle } = createFake();
    expect(await isShort(idle.pause(50, never))).toBe(true);
  });

  it('lasts while only this process tells that it works', async () => {
    const { idle, published, use, hear } = createFake();
    use();
    hear(published[0] as string);
    expect(await isShort(idle.pause(2 * SOON_MS, never))).toBe(false);
  });

  it('is none for a while after another instance worked: it may have died with what it has saved since', async () => {
    const { idle, hear } = createFake();
    hear('another');
    idle.begin();
    expect(await isShort(idle.pause(4_000, never))).toBe(true);
  });

  it('is published to others before something is saved, and not with every statement', () => {
    const { published, use } = createFake();
    for (let statement = 0; statement < 10; statement += 1) use();
    expect(published).toHaveLength(1);
  });
});
