import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tds/contracts';

/** A resolved name: channels rarely give one up. */
export const NAME_KEPT_MS = 7 * DAY_MS;
/** A name without a channel (specification, part 4). */
export const MISSING_NAME_KEPT_MS = DAY_MS;

/** How long a lookup of an available or unavailable video is used. */
export const AVAILABLE_KEPT_MS = DAY_MS;
export const UNAVAILABLE_KEPT_MS = HOUR_MS;

/** How long the same question of the same key is answered again without a charge (specification, part 4). */
export const REPLAY_MS = MINUTE_MS;
/** How long a continuation is valid. */
export const CONTINUATION_KEPT_MS = 7 * DAY_MS;

export const earlier = (now: Date, byMs: number): Date => new Date(now.getTime() - byMs);
export const later = (now: Date, byMs: number): Date => new Date(now.getTime() + byMs);
