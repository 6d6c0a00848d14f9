import type { PoolName } from '../domain/cold-caps.ts';
import type { PoolCounts } from '../store/cold-counts.ts';

/** How long an empty pool is believed to be empty: a process that stops gives its permits back. */
const BELIEVED_EMPTY_MS = 1_000;

export type ColdPool = {
  /** Takes one permit of a UTC day; false if there is none left. */
  take(day: string): Promise<boolean>;
  /** Returns permits that were taken and not used. */
  giveBack(day: string, permits: number): Promise<void>;
  /** Returns to all what this process has left. */
  close(): Promise<void>;
};

export type ColdPools = Readonly<Record<PoolName, ColdPool>>;

export type ColdPoolOptions = {
  readonly counts: PoolCounts;
  readonly blockSize: number;
  readonly monotonicMs: () => number;
};

/**
 * Permits of a shared daily pool, taken in blocks: no row is hot however much is asked, and no permit is given out twice.
 * What a process that dies has left is lost until the next day.
 */
export function createColdPool({ counts, blockSize, monotonicMs }: ColdPoolOptions): ColdPool {
  let held = { day: '', permits: 0 };
  let emptyUntil = Number.NEGATIVE_INFINITY;
  let underWay: Promise<void> | null = null;

  const turnTo = (day: string): void => {
    // Permits of a past day are worth nothing any more; a request that is late must not throw today's away.
    if (day <= held.day) return;
    held = { day, permits: 0 };
    emptyUntil = Number.NEGATIVE_INFINITY;
  };
  const lease = async (day: string): Promise<void> => {
    const taken = await counts.take(day, blockSize);
    if (taken === 0) emptyUntil = monotonicMs() + BELIEVED_EMPTY_MS;
    if (held.day === day) held.permits += taken;
  };
  return {
    async take(day) {
      for (;;) {
        turnTo(day);
        if (day < held.day) return (await counts.take(day, 1)) === 1;
        if (held.permits > 0) {
          held.permits -= 1;
          return true;
        }
        if (monotonicMs() < emptyUntil) return false;
        underWay ??= lease(day).finally(() => {
          underWay = null;
        });
        await underWay;
      }
    },
    async giveBack(day, permits) {
      if (day !== held.day) return;
      held.permits += permits;
      // What is beyond a block is everybody's: a refused batch must not leave this process a hoard.
      const surplus = held.permits - (blockSize - 1);
      if (surplus <= 0) return;
      held.permits -= surplus;
      // Where the database is away they are lost until the next day, and who gives back has its answer all the same.
      await counts.giveBack(day, surplus).catch(() => {});
    },
    async close() {
      const { day, permits } = held;
      held = { day, permits: 0 };
      emptyUntil = Number.POSITIVE_INFINITY;
      if (permits > 0) await counts.giveBack(day, permits);
    },
  };
}
