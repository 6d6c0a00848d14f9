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

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Between two looks at a source (specification, part 8). The next one is up to a tenth later, so that they spread. */
export const CHECK_EVERY_MS = 15 * MINUTE_MS;
export const SPREAD = 0.1;
/** What was read so long ago is what a new monitor of the same source begins with. */
export const FRESH_MS = 10 * MINUTE_MS;

/** What was not there is believed not to be there for so long. */
export const MISSING_MS = HOUR_MS;

type Standing = {
  readonly failures: number;
  /** Nobody watches it, or only monitors above the limits of their accounts. */
  readonly isIdle: boolean;
};

/** A source that has paused its monitors, or that nobody is told of, is read once a day. One that nobody watches is forgotten before. */
export const nextCheckMs = ({ failures, isIdle }: Standing): number =>
  isUnavailable(failures) || isIdle ? DAY_MS : CHECK_EVERY_MS;

/** How long it is believed that an upcoming video is not out. */
export const ASK_AGAIN_MS = CHECK_EVERY_MS;
/** Of how many one look asks: more than one feed shows; what a list has besides is older. */
export const MOST_ASKED = 15;
/** A monitor with nothing to do, which something wakes: this is for what was not heard. */
export const IDLE_MS = DAY_MS;
/** One that waits for credits, or for somebody else's limit without a time of its own. */
export const RETRY_MS = HOUR_MS;
/** One whose neighbour is away. */
export const AWAY_MS = 30_000;
