const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** After the first, second, third and fourth attempt: the least and the most, so that what has failed together comes apart. */
const waitsMs: readonly (readonly [least: number, most: number])[] = [
  [MINUTE_MS, 1.1 * MINUTE_MS],
  [10 * MINUTE_MS, 11 * MINUTE_MS],
  [2 * HOUR_MS, 2.2 * HOUR_MS],
  [11 * HOUR_MS, 12 * HOUR_MS],
];

/** How long after this failed attempt the next one leaves; 0 after the last one, which has none. `random` is from 0 to 1. */
export const retryWaitMs = (attempt: number, random: number): number => {
  const [least, most] = waitsMs[attempt - 1] ?? [0, 0];
  return Math.round(least + (most - least) * random);
};
