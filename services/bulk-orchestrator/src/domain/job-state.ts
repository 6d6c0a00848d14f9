import {
  DAY_MS,
  HOUR_MS,
  type JobStatus,
  type OpeningRefusal,
  type PauseReason,
  SECOND_MS,
  secondsToNextUtcDay,
} from '@tds/contracts';

/** `lookAt`: the next check of the job; null if only its owner can resume it. */
export type Pause = { readonly reason: PauseReason; readonly lookAt: Date | null };

/** Pauses that only the owner can end outlast those that end by themselves. */
const byOwner: ReadonlySet<PauseReason> = new Set(['key_revoked', 'account_frozen']);
export const onlyOwnerEnds = (reason: PauseReason | null): boolean => reason !== null && byOwner.has(reason);

const pausing: ReadonlySet<PauseReason> = new Set([...byOwner, 'budget_exhausted', 'platform_unavailable']);
/** True if rows queued at the fetcher are paused too. Rows with held credits continue when others lack credits. */
export const pausesBatch = (reason: PauseReason | null): boolean => reason !== null && pausing.has(reason);

const temporary: ReadonlySet<PauseReason> = new Set([
  'daily_limit',
  'budget_exhausted',
  'platform_unavailable',
]);
/** True if the pause is expected to end at its next check. */
export const endsByItself = (reason: PauseReason): boolean => temporary.has(reason);

/** Waits are rounded to seconds and travel: one that ends this close to UTC midnight means midnight. */
const CLOSE_MS = 5_000;
export const snapToMidnight = (moment: Date): Date => {
  const midnight = Math.round(moment.getTime() / DAY_MS) * DAY_MS;
  return Math.abs(moment.getTime() - midnight) <= CLOSE_MS ? new Date(midnight) : moment;
};

/** The pause of a job whose rows were not opened; null cancels it. */
export const pauseForRefusal = ({ code, retryAfterSeconds }: OpeningRefusal, now: Date): Pause | null => {
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  switch (code) {
    case 'account_closed':
    case 'job_cancelled':
      return null;
    case 'key_revoked':
      return { reason: code, lookAt: null };
    case 'account_frozen':
    case 'insufficient_credits':
      // An event resumes the job; this check is for a lost event.
      return { reason: code, lookAt: after(HOUR_MS) };
    default: {
      const seconds = retryAfterSeconds ?? secondsToNextUtcDay(now);
      return {
        reason: 'daily_limit',
        lookAt: snapToMidnight(after(Math.max(seconds, 1) * SECOND_MS)),
      };
    }
  }
};

/** A job that is paused for this long fails. */
const MAX_PAUSE_MS = 30 * DAY_MS;
/** A listing without a result by then is started again. */
const LISTING_TIMEOUT_MS = 60_000;

export type JobFacts = {
  readonly status: JobStatus;
  /** Its rows exist; those of a channel or playlist come while it is enumerating. */
  readonly isListed: boolean;
  readonly startedAt: Date | null;
  /** Why its rows are not opened. */
  readonly pauseReason: PauseReason | null;
  readonly pausedSince: Date | null;
  readonly lookAt: Date | null;
  /** Set while the fetcher is asked to open rows. */
  readonly openingId: string | null;
  readonly troubleSince: Date | null;
  readonly dueAt: Date | null;
};

export type RowFacts = {
  /** Rows that have not ended. */
  readonly remaining: number;
  /** Of these, the rows at the fetcher, or on their way there. */
  readonly atFetcher: number;
  readonly waitingForBroadcast: number;
  readonly delivered: number;
  /** When the first row that is not at the fetcher may be opened; null if none. */
  readonly nextAttemptAt: Date | null;
};

const endedStatuses: ReadonlySet<JobStatus> = new Set(['completed', 'failed', 'cancelled']);
export const hasEnded = (status: JobStatus): boolean => endedStatuses.has(status);

const activeStatus = ({ startedAt }: JobFacts): JobStatus => (startedAt === null ? 'pending' : 'running');

/** Rows at work that resume a job which lacks credits. Each row that fails returns a credit: a few rows are no reason for two events. */
const MIN_RESUMED_ROWS = 10;

const isWaiting = (state: JobFacts, { remaining, atFetcher, waitingForBroadcast }: RowFacts): boolean => {
  const lacksCredits = state.status === 'paused' && state.pauseReason === 'insufficient_credits';
  if (lacksCredits && atFetcher < Math.min(remaining, MIN_RESUMED_ROWS)) return true;
  // The fetcher's answer decides whether it continues.
  if (state.openingId !== null && state.status === 'paused') return true;
  return atFetcher === 0 && (state.pauseReason !== null || waitingForBroadcast === remaining);
};

/** The status that follows from the rows. In creation and after the end only a command changes it. */
export const computeStatus = (state: JobFacts, rows: RowFacts): JobStatus => {
  if (state.status === 'creating' || hasEnded(state.status)) return state.status;
  if (!state.isListed) return state.pauseReason === null ? 'enumerating' : 'paused';
  if (rows.remaining === 0) return rows.delivered > 0 ? 'completed' : 'failed';
  return isWaiting(state, rows) ? 'paused' : activeStatus(state);
};

/** When the pause fails the job. */
export const pauseFailsAt = (pausedSince: Date): Date => new Date(pausedSince.getTime() + MAX_PAUSE_MS);

const earlier = (one: Date | null, other: Date): Date => (one !== null && one < other ? one : other);

/**
 * When the sweep has to advance the job; null if another event will. While the platform is in trouble, a few rows go first.
 */
export const computeDueAt = (state: JobFacts, rows: RowFacts, now: Date): Date | null => {
  if (state.openingId !== null || state.status === 'creating') return state.dueAt;
  if (hasEnded(state.status)) return null;
  if (state.pauseReason !== null) return earlier(state.lookAt, pauseFailsAt(state.pausedSince ?? now));
  if (!state.isListed) return new Date(now.getTime() + LISTING_TIMEOUT_MS);
  return state.troubleSince !== null && rows.atFetcher > 0 ? null : rows.nextAttemptAt;
};
