import { unlessAborted } from './deadline.ts';

/** Limits how much runs at once. */
export type Semaphore = {
  /** None if more were taken than there are. */
  free(): number;
  /** Callers that wait for their turn. */
  waiting(): number;
  /** Resolves when `count` permits are free, one by default. */
  whenFree(count?: number): Promise<void>;
  /** Resolves when no permit is taken. */
  whenIdle(): Promise<void>;
  /** Holds a permit for as long as `work` runs, which starts at once: the caller first checks that a permit is free. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** The same once a permit is free, in the order of the calls. Throws the signal's reason if that fires before. */
  runInTurn<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

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

export const createSemaphore = (size: number): Semaphore => {
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
    free: () => Math.max(0, size - active),
    waiting: () => queue.size,
    whenFree: (count = 1) => waitUntil(() => size - active >= count),
    whenIdle: () => waitUntil(() => active === 0),
    run,
    async runInTurn(work, signal) {
      if (active < size) return run(work);
      await awaitTurn(queue, release, signal);
      return thenRelease(work);
    },
  };
};
