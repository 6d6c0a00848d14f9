const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** A name that leads somewhere; channels hardly ever give one away. */
export const NAME_KEPT_MS = 7 * DAY_MS;
/** A name that is nobody's (specification, part 4). */
export const MISSING_NAME_KEPT_MS = DAY_MS;

/** How long it is believed that a video can be seen, or cannot. */
export const AVAILABLE_KEPT_MS = DAY_MS;
export const UNAVAILABLE_KEPT_MS = HOUR_MS;

/** The same question of the same key is answered again for so long without a charge (specification, part 4). */
export const REPLAY_MS = MINUTE_MS;
/** How long a page leads on to the page after. */
export const CONTINUATION_KEPT_MS = 7 * DAY_MS;

export const earlier = (now: Date, byMs: number): Date => new Date(now.getTime() - byMs);
export const later = (now: Date, byMs: number): Date => new Date(now.getTime() + byMs);
