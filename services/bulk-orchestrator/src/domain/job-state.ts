import { type JobStatus, type OpeningRefusal, type PauseReason, secondsToNextUtcDay } from '@tds/contracts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;

/** `lookAt`: when the job is looked at again; null if only somebody can let it go on. */
export type Pause = { readonly reason: PauseReason; readonly lookAt: Date | null };

/** What only the owner can end outlasts what ends by itself. */
const byOwner: ReadonlySet<PauseReason> = new Set(['key_revoked', 'account_frozen']);
export const isByOwner = (reason: PauseReason | null): boolean => reason !== null && byOwner.has(reason);

const halting: ReadonlySet<PauseReason> = new Set([...byOwner, 'budget_exhausted', 'platform_unavailable']);
/** Whether rows that are in line at the fetcher are held back as well; what has its credits goes on where others lack them. */
export const haltsLine = (reason: PauseReason | null): boolean => reason !== null && halting.has(reason);

const ends: ReadonlySet<PauseReason> = new Set(['daily_limit', 'budget_exhausted', 'platform_unavailable']);
/** Whether the look at it is its end, as far as anybody knows. */
export const endsByItself = (reason: PauseReason): boolean => ends.has(reason);

/** A wait is told in whole seconds and travels: one that ends this close to a UTC midnight ends with the day. */
const CLOSE_MS = 5_000;
export const orMidnight = (moment: Date): Date => {
  const midnight = Math.round(moment.getTime() / DAY_MS) * DAY_MS;
  return Math.abs(moment.getTime() - midnight) <= CLOSE_MS ? new Date(midnight) : moment;
};

/** What becomes of a job whose rows were not opened; `null`: it is cancelled. */
export const pauseOf = ({ code, retryAfterSeconds }: OpeningRefusal, now: Date): Pause | null => {
  const after = (ms: number): Date => new Date(now.getTime() + ms);
  switch (code) {
    case 'account_closed':
    case 'job_cancelled':
      return null;
    case 'key_revoked':
      return { reason: code, lookAt: null };
    case 'account_frozen':
    case 'insufficient_credits':
      // Whatever ends it wakes the job; this is for what was not heard.
      return { reason: code, lookAt: after(HOUR_MS) };
    default: {
      const seconds = retryAfterSeconds ?? secondsToNextUtcDay(now);
      return { reason: 'daily_limit', lookAt: orMidnight(after(Math.max(seconds, 1) * SECOND_MS)) };
    }
  }
};

const DAY_MSJobState = 86_400_000;
/** What nobody lets go on for so long has failed. */
const LONGEST_PAUSE_MS = 30 * DAY_MSJobState;
/** A listing that nobody has ended by then is begun again. */
const LISTING_PATIENCE_MS = 60_000;

/** What a job says of itself. */
export type JobState = {
  readonly status: JobStatus;
  /** Whether its rows are there; those of a channel or playlist come while it is enumerating. */
  readonly isListed: boolean;
  readonly startedAt: Date | null;
  /** What keeps its rows from being opened. */
  readonly pauseReason: PauseReason | null;
  readonly pausedSince: Date | null;
  readonly lookAt: Date | null;
  /** Set while the fetcher is asked to open rows. */
  readonly openingId: string | null;
  readonly troubleSince: Date | null;
  readonly dueAt: Date | null;
};

/** What its rows say. */
export type RowFacts = {
  /** Rows that have not ended. */
  readonly left: number;
  /** Those of them that are at the fetcher, or on their way there. */
  readonly atFetcher: number;
  readonly waitingForBroadcast: number;
  readonly delivered: number;
  /** When the first row that is not at the fetcher may be opened; null if there is none. */
  readonly nextAttemptAt: Date | null;
};

const ended: ReadonlySet<JobStatus> = new Set(['completed', 'failed', 'cancelled']);
export const hasEnded = (status: JobStatus): boolean => ended.has(status);

const underWay = ({ startedAt }: JobState): JobStatus => (startedAt === null ? 'pending' : 'running');

const isWaiting = (state: JobState, { left, atFetcher, waitingForBroadcast }: RowFacts): boolean => {
  // Whether it goes on is what the fetcher is being asked.
  if (state.openingId !== null && state.status === 'paused') return true;
  return atFetcher === 0 && (state.pauseReason !== null || waitingForBroadcast === left);
};

/** The status that a job has by what its rows say. One that is still being created, or has ended, is moved by its owner alone. */
export const statusOf = (state: JobState, rows: RowFacts): JobStatus => {
  if (state.status === 'creating' || hasEnded(state.status)) return state.status;
  if (!state.isListed) return state.pauseReason === null ? 'enumerating' : 'paused';
  if (rows.left === 0) return rows.delivered > 0 ? 'completed' : 'failed';
  return isWaiting(state, rows) ? 'paused' : underWay(state);
};

/** When a pause has lasted for so long that the job fails. */
export const pauseEndsAt = (pausedSince: Date): Date => new Date(pausedSince.getTime() + LONGEST_PAUSE_MS);

const earlier = (one: Date | null, other: Date): Date => (one !== null && one < other ? one : other);

/**
 * When a job has to be taken up, if nothing else happens to it: null if something else will. While the platform is in trouble, a few
 * rows go first.
 */
export const dueAtOf = (state: JobState, rows: RowFacts, now: Date): Date | null => {
  if (state.openingId !== null || state.status === 'creating') return state.dueAt;
  if (hasEnded(state.status)) return null;
  if (state.pauseReason !== null) return earlier(state.lookAt, pauseEndsAt(state.pausedSince ?? now));
  if (!state.isListed) return new Date(now.getTime() + LISTING_PATIENCE_MS);
  return state.troubleSince !== null && rows.atFetcher > 0 ? null : rows.nextAttemptAt;
};
