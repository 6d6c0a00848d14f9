import { type MonitorPauseReason, type Tier, tierLimits } from '@tds/contracts';

/** Checks of a feed in a row that have failed before its monitors are paused. */
const FAILURES_TO_PAUSE = 6;

export const isUnavailable = (failures: number): boolean => failures >= FAILURES_TO_PAUSE;

/** Whatever a monitor waits for, each by itself. */
export type Causes = {
  /** Among the monitors of its account that are not cancelled: 1 is the oldest. */
  readonly place: number;
  /** Of its account; null where identity was not asked yet. */
  readonly tier: Tier | null;
  /** It has a webhook to tell. */
  readonly usesWebhook: boolean;
  readonly hasWebhook: boolean;
  /** Checks of its feed that have failed in a row. */
  readonly failures: number;
  readonly lacksCredits: boolean;
};

/** Which of all that a monitor waits for is shown. To clear one cause shows the next. */
export const pauseReasonOf = (causes: Causes): MonitorPauseReason | null => {
  if (causes.tier !== null && causes.place > tierLimits[causes.tier].monitors) return 'tier_limit';
  if (causes.usesWebhook && !causes.hasWebhook) return 'webhook_missing';
  if (isUnavailable(causes.failures)) return 'feed_unavailable';
  return causes.lacksCredits ? 'insufficient_credits' : null;
};
