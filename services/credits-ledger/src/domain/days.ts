const MS = 1_000;
const DAY_MS = 86_400_000;

/** Whole seconds until the next 00:00 UTC, at least one. */
export const secondsToMidnight = (now: Date): number => Math.ceil((DAY_MS - (now.getTime() % DAY_MS)) / MS);

/** The UTC day as YYYY-MM-DD. */
export const utcDay = (now: Date): string => now.toISOString().slice(0, 10);
