/** Counts what runs at once. */
export type Slots = {
  free(): number;
  /** Resolves when at least one is free. */
  whenFree(): Promise<void>;
  /** Takes one until the answer is called; taking more than there are is the caller's fault. */
  take(): () => void;
  /** Takes one for as long as `work` runs. */
  hold<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves when none is taken. */
  whenIdle(): Promise<void>;
};

export const createSlots = (size: number): Slots => {
  let taken = 0;
  let waiting: (() => void)[] = [];
  const settle = () => {
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
      settle();
    };
  };
  return {
    take,
    free: () => size - taken,
    whenFree: () => waitUntil(() => taken < size),
    whenIdle: () => waitUntil(() => taken === 0),
    hold: async (work) => {
      const leave = take();
      try {
        return await work();
      } finally {
        leave();
      }
    },
  };
};
