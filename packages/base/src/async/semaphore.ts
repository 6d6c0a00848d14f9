/** Limits how much runs at once. */
export type Semaphore = {
  /** None if more were taken than there are. */
  free(): number;
  /** Resolves when `count` permits are free, one by default. */
  whenFree(count?: number): Promise<void>;
  /** Takes a permit and returns its release. The caller first checks that one is free. */
  take(): () => void;
  /** Holds a permit for as long as `work` runs. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when no permit is taken. */
  whenIdle(): Promise<void>;
};

export const createSemaphore = (size: number): Semaphore => {
  let taken = 0;
  let waiting: (() => void)[] = [];
  const wakeAll = () => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };
  const waitUntil = async (holds: () => boolean) => {
    while (!holds()) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const take = () => {
    taken += 1;
    return () => {
      taken -= 1;
      wakeAll();
    };
  };
  return {
    take,
    free: () => Math.max(0, size - taken),
    whenFree: (count = 1) => waitUntil(() => size - taken >= count),
    whenIdle: () => waitUntil(() => taken === 0),
    run: async (work) => {
      const release = take();
      try {
        return await work();
      } finally {
        release();
      }
    },
  };
};
