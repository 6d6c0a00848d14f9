/** As long as the processor keeps a page open at least. */
export const CHECKOUT_MS = 1_800_000;
/** The processor counts from when it is asked. */
export const SPARE_MS = 30_000;
/** Longer than opening one takes. */
export const OPENING_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_SECONDS = 86_400;
/** What a new account has to have used before it buys again. */
export const CREDITS_BEFORE_SECOND_PURCHASE = 100;

export const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
const SECOND_MS = 1_000;
/** Whole seconds, never 0. */
export const secondsUntil = (at: Date, now: Date): number =>
  Math.max(1, Math.ceil((at.getTime() - now.getTime()) / SECOND_MS));
