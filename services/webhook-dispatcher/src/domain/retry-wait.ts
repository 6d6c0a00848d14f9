import { HOUR_MS, MINUTE_MS } from '@tds/contracts';

/** After attempts one to four. The range spreads the retries of deliveries that failed together. */
const waitsMs: readonly (readonly [least: number, most: number])[] = [
  [MINUTE_MS, 1.1 * MINUTE_MS],
  [10 * MINUTE_MS, 11 * MINUTE_MS],
  [2 * HOUR_MS, 2.2 * HOUR_MS],
  [11 * HOUR_MS, 12 * HOUR_MS],
];

/** Milliseconds between this failed attempt and the next; 0 after the last. `random` is from 0 to 1. */
export const retryWaitMs = (attempt: number, random: number): number => {
  const [min, max] = waitsMs[attempt - 1] ?? [0, 0];
  return Math.round(min + (max - min) * random);
};
