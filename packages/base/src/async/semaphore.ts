import { unlessAborted } from './deadline.ts';

const awaitTurn = async (queue: Set<() => void>, release: () => void, signal?: AbortSignal): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  queue.add(resolve);
  try {
    await (signal ? unlessAborted(promise, signal) : promise);
  } catch (error) {
    // Its turn may have come at the same moment.
    if (!queue.delete(resolve)) release();
    throw error;
  }
};

/** Limits how much runs at once. */
export const createSemaphore = (size: number) => {
  let active = 0;
  let watchers: (() => void)[] = [];
  const queue = new Set<() => void>();
  const waitUntil = async (isMet: () => boolean) => {
    while (!isMet()) await new Promise<void>((resolve) => watchers.push(resolve));
  };
  const release = () => {
    const [next] = queue;
    // Passed on directly, so that no new caller takes it.
    if (next && active <= size) {
      queue.delete(next);
      return next();
    }
    active -= 1;
    const current = watchers;
    watchers = [];
    for (const wake of current) wake();
  };
  const thenRelease = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } finally {
      release();
    }
  };
  const run = <T>(work: () => Promise<T>): Promise<T> => {
    active += 1;
    return thenRelease(work);
  };
  return {
    /** None if more were taken than there are. */
    free: (): number => Math.max(0, size - active),
    /** Callers that wait for their turn. */
    waiting: (): number => queue.size,
    /** Resolves when `count` permits are free. */
    whenFree: (count = 1): Promise<void> => waitUntil(() => size - active >= count),
    /** Resolves when no permit is taken. */
    whenIdle: (): Promise<void> => waitUntil(() => active === 0),
    /** Holds a permit for as long as `work` runs, which starts at once: the caller first checks that a permit is free. */
    run,
    /** The same once a permit is free, in the order of the calls. Throws the signal's reason if that fires before. */
    async runInTurn<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      if (active < size) return run(work);
      await awaitTurn(queue, release, signal);
      return thenRelease(work);
    },
  };
};
export type Semaphore = ReturnType<typeof createSemaphore>;
