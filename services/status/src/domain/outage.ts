const MINUTE_MS = 60_000;

/** What is observed together. */
export const SLOT_MINUTES = 10;
/** Four hours. */
export const OUTAGE_SLOTS = 24;
/** After the end of a day, for observations that are on their way. */
export const JUDGED_AFTER_MS = 60 * MINUTE_MS;

/** The slot that a moment lies in. */
export const slotOf = (at: Date): Date => {
  const slotMs = SLOT_MINUTES * MINUTE_MS;
  return new Date(Math.floor(at.getTime() / slotMs) * slotMs);
};
