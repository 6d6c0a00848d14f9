import { LATENCY_BOUNDS_MS, type LatencyBounds } from '@tds/contracts';

/** Minimum sample size. */
const MIN_ANSWERS = 20;

const findBound = (counts: readonly number[], total: number, share: number): number | null => {
  let cumulative = 0;
  const index = counts.findIndex((count) => {
    cumulative += count;
    return cumulative >= share * total;
  });
  return LATENCY_BOUNDS_MS[index] ?? null;
};

/** The 50th and the 95th percentile, as upper bounds in milliseconds. `counts` has one entry for each of `LATENCY_BOUNDS_MS`. */
export const computeLatencyBounds = (counts: readonly number[]): LatencyBounds => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total < MIN_ANSWERS) return { p50_ms: null, p95_ms: null };
  return { p50_ms: findBound(counts, total, 0.5), p95_ms: findBound(counts, total, 0.95) };
};
