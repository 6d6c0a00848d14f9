import type { JobStatus, PauseReason } from '@tds/contracts';

const DAY_MS = 86_400_000;
/** What nobody lets go on for so long has failed. */
const LONGEST_PAUSE_MS = 30 * DAY_MS;
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
