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

/** Runs work with the same key in turn. Work gets the result of what it waited for; undefined if it did not wait, or that failed. */
export const createKeyedQueue = <Result>() => {
  const newest = new Map<string, Promise<Result>>();
  return (key: string, work: (before?: Result) => Promise<Result>): Promise<Result> => {
    const before = newest.get(key);
    const result = before ? before.then(work, () => work()) : work();
    newest.set(key, result);
    const leave = () => {
      if (newest.get(key) === result) newest.delete(key);
    };
    result.then(leave, leave);
    return result;
  };
};

/**
 * Handles every page that `find` returns after the last row of the page before (null: at the beginning). A row that
 * fails does not stop the others, and is retried by the next walk only. Ends with the signal. Throws the failures
 * at the end.
 */
export async function walk<Row>(
  find: (after: Row | null) => Promise<readonly Row[]>,
  work: (page: readonly Row[]) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const failures: unknown[] = [];
  for (let after: Row | null | undefined = null; after !== undefined && !signal.aborted; ) {
    const page: readonly Row[] = await find(after);
    if (page.length > 0) await work(page).catch((error: unknown) => failures.push(error));
    after = page.at(-1);
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} pages of a walk failed`);
}

/** One by one: each fails for itself. */
export const each =
  <Row>(work: (row: Row) => Promise<void>) =>
  async (page: readonly Row[]): Promise<void> => {
    const failures: unknown[] = [];
    for (const row of page) await work(row).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of a page failed`);
  };

/** Runs independent walks side by side: each ends, even if others fail. */
export const walkAll = async (walks: readonly Promise<void>[]): Promise<void> => {
  const ended = await Promise.allSettled(walks);
  const failures = ended.flatMap((walk) => (walk.status === 'rejected' ? [walk.reason] : []));
  if (failures.length > 1) throw new AggregateError(failures, `${failures.length} walks failed`);
  if (failures.length === 1) throw failures[0];
};
