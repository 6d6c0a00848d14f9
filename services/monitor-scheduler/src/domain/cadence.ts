import { DAY_MS, HOUR_MS, MINUTE_MS, type MonitorPauseReason, type Tier, tierLimits } from '@tds/contracts';

/** Failed checks in a row that make a feed unavailable and pause its monitors. */
const FAILURES_TO_PAUSE = 6;

export const isUnavailable = (failures: number): boolean => failures >= FAILURES_TO_PAUSE;

/** Everything that can pause a monitor. */
export type PauseCauses = {
  /** Its key was revoked at once. */
  readonly keyRevoked: boolean;
  /** Position among the active monitors of its account: 1 is the oldest. */
  readonly place: number;
  /** Tier of its account; null before the first answer of identity. */
  readonly tier: Tier | null;
  /** Whether its new videos go to a webhook. */
  readonly usesWebhook: boolean;
  readonly hasWebhook: boolean;
  /** Failed checks of its feed in a row. */
  readonly failures: number;
  readonly lacksCredits: boolean;
};

/*
 * active     its feed is checked; new videos become jobs, events and mails in turns (`application/turns.ts`)
 * paused     computed from its causes and never saved: each ends by itself or by who can end it, and the next one shows
 * cancelled  by its account, for ever: neither checked nor charged. After a restore it is cancelled again (`recovery.ts`)
 */

/** The first cause in the order key, tier, webhook, feed, credits. Clearing one shows the next. */
export const decidePauseReason = (causes: PauseCauses): MonitorPauseReason | null => {
  if (causes.keyRevoked) return 'key_revoked';
  if (causes.tier !== null && causes.place > tierLimits[causes.tier].monitors) return 'tier_limit';
  if (causes.usesWebhook && !causes.hasWebhook) return 'webhook_missing';
  if (isUnavailable(causes.failures)) return 'feed_unavailable';
  return causes.lacksCredits ? 'insufficient_credits' : null;
};

/** Between two checks of a source (specification, part 8). */
export const CHECK_EVERY_MS = 15 * MINUTE_MS;
/** Checks are delayed by up to this share, so that they spread. */
export const SPREAD = 0.1;
/** A feed read within this time is the baseline of a new monitor. */
export const FRESH_MS = 10 * MINUTE_MS;
/** How long a missing source is reported as missing without another request. */
export const MISSING_MS = HOUR_MS;

type FeedState = {
  readonly failures: number;
  /** No monitor uses it: there is none, or all are above their tier's limit. */
  readonly isIdle: boolean;
};

/** Unavailable and idle feeds are checked once a day. */
export const nextCheckMs = ({ failures, isIdle }: FeedState): number =>
  isUnavailable(failures) || isIdle ? DAY_MS : CHECK_EVERY_MS;

/** Between two lookups of an upcoming video. */
export const RECHECK_MS = CHECK_EVERY_MS;
/** Most lookups of one check: as many videos as a feed shows. */
export const MAX_LOOKUPS = 15;
/** A monitor with nothing to do: events wake it, this covers lost ones. */
export const IDLE_MS = DAY_MS;
/** Retry of a monitor that lacks credits or meets a limit without a time of its own. */
export const RETRY_MS = HOUR_MS;
/** Retry while another service is away. */
export const AWAY_MS = 30_000;
