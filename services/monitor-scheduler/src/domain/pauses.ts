import type { MonitorPauseReason } from '@tds/contracts';

/** Checks of a feed in a row that have failed before its monitors are paused. */
const FAILURES_TO_PAUSE = 6;

export const isUnavailable = (failures: number): boolean => failures >= FAILURES_TO_PAUSE;

/** Whatever a monitor waits for, each by itself. */
export type Causes = {
  /** It has a webhook to tell. */
  readonly usesWebhook: boolean;
  readonly hasWebhook: boolean;
  /** Checks of its feed that have failed in a row. */
  readonly failures: number;
  readonly lacksCredits: boolean;
};

/** What is told of all that a monitor waits for. To clear one cause shows the next. */
export const pauseReasonOf = (causes: Causes): MonitorPauseReason | null => {
  if (causes.usesWebhook && !causes.hasWebhook) return 'webhook_missing';
  if (isUnavailable(causes.failures)) return 'feed_unavailable';
  return causes.lacksCredits ? 'insufficient_credits' : null;
};
