/** As long as the processor keeps a page open at least. */
export const CHECKOUT_MS = 1_800_000;
/** The processor counts from when it is asked. */
export const SPARE_MS = 30_000;
/** Longer than opening one takes. */
export const OPENING_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_SECONDS = 86_400;
/** As long as a purchase of a stranger waits to be accepted; then its money goes back. */
export const WAITING_MS = 7_776_000_000;

export const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms);
const SECOND_MS = 1_000;
/** Whole seconds, never 0. */
export const secondsUntil = (at: Date, now: Date): number =>
  Math.max(1, Math.ceil((at.getTime() - now.getTime()) / SECOND_MS));
