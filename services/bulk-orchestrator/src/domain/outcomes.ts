import {
  type BatchChange,
  DAY_MS,
  HOUR_MS,
  type JobRowStatus,
  MINUTE_MS,
  type RowWaitsFor,
  SECOND_MS,
} from '@tds/contracts';
import type { ServiceErrorData } from '@tds/errors';
import { type Pause, snapToMidnight } from './job-state.ts';

/** Tries of a row before its failure is final. */
export const MAX_ATTEMPTS = 3;
/** The longest wait of a job that somebody began for a video that is not ready, and of any job for a platform that fails at everything. */
export const MAX_WAIT_MS = 6 * HOUR_MS;
/** A monitor's job waits until a video that came without captions is no longer young, and a day for its last look. */
const MAX_MONITOR_WAIT_MS = 8 * DAY_MS;
/** Speech is recognised within hours of an upload, so a monitor's job waits so long for the only language that it takes. */
const MAX_LANGUAGE_WAIT_MS = DAY_MS;
/** This many platform failures in a row are an outage; this many rows go first afterwards. */
export const OUTAGE_AFTER = 10;
/** In a job with fewer rows that never had an answer, each may fail this often before the failure counts as the row's own. */
const DOUBTS_PER_ROW = 6;

const waitAfterTry = [5 * SECOND_MS, 30 * SECOND_MS] as const;
const liveWait = { defaultMs: 5 * MINUTE_MS, leastMs: 30 * SECOND_MS, maxMs: DAY_MS };
const budgetWait = { defaultMs: 10 * MINUTE_MS, leastMs: 30 * SECOND_MS, maxMs: HOUR_MS };
const dayWait = { defaultMs: 10 * MINUTE_MS, leastMs: SECOND_MS, maxMs: DAY_MS };
const languageWait = { leastMs: 15 * MINUTE_MS, maxMs: DAY_MS };
const outageWait = { leastMs: 30 * SECOND_MS, maxMs: 10 * MINUTE_MS };

/*
 * pending     waits for its turn at the fetcher, for its next try, or for what `waitingFor` says
 * processing  its fetch has begun, as a change of its batch says (`match-changes.ts`)
 * cached      delivered for nothing; `fetched`: for a credit. Both are final
 * error       final: after three tries, or at once by a fact. A retry of the job makes it pending
 * cancelled   its job ended before it did
 */

export type RowError = Pick<ServiceErrorData, 'errorClass' | 'code' | 'message' | 'retryable'>;

/** The fields of a row that decide its outcome. */
export type RowState = {
  readonly position: number;
  readonly tries: number;
  readonly waitingSince: Date | null;
};

type DeliveredChange = Extract<BatchChange, { state: 'delivered' }>;
type FailedChange = Extract<BatchChange, { state: 'failed' }>;
export type Outcome = DeliveredChange | FailedChange;

export type RowChange = {
  readonly position: number;
  readonly status: JobRowStatus;
  /** Null if the row is no longer at the fetcher. */
  readonly operationId: string | null;
  readonly isAttempt: boolean;
  readonly tries: number;
  readonly waitingFor: RowWaitsFor | null;
  readonly nextAttemptAt: Date | null;
  readonly waitingSince: Date | null;
  readonly delivered: DeliveredChange | null;
  readonly error: RowError | null;
};

/** Failures of the platform since its last definite answer. */
export type Trouble = { readonly count: number; readonly since: Date | null };
export type Evaluation = {
  readonly changes: readonly RowChange[];
  readonly trouble: Trouble;
  readonly pause: Pause | null;
};

type JobContext = {
  readonly trouble: Trouble;
  /** Open rows of the job, including these. */
  readonly rowsLeft: number;
  /** The platform has given a definite answer for a row of this job. */
  readonly isAnswered: boolean;
  /** A monitor's: nobody waits for its end. */
  readonly isAutomatic: boolean;
  /** The job has ended: no retries. */
  readonly isOver: boolean;
  readonly now: Date;
};

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

const clamp = (ms: number, { leastMs, maxMs }: { leastMs: number; maxMs: number }): number =>
  Math.min(Math.max(ms, leastMs), maxMs);

/** Pauses as long again as the outage has lasted. */
export const outageWaitMs = (elapsedMs: number): number => clamp(elapsedMs, outageWait);

type WaitBounds = { readonly defaultMs: number; readonly leastMs: number; readonly maxMs: number };

const toWaitMs = (seconds: number | null, bounds: WaitBounds): number =>
  clamp(seconds === null ? bounds.defaultMs : seconds * SECOND_MS, bounds);

type OutcomeKind = 'cached' | 'delivered' | 'definite' | 'not_ready' | 'budget' | 'capped' | 'trouble';

/** Passing errors of one video or track, which say nothing about the platform's health. */
const singleVideoCodes = new Set(['translation_refused', 'video_unavailable', 'no_captions']);

const kindOf = (outcome: Outcome): OutcomeKind => {
  // A cached delivery says nothing about the platform.
  if (outcome.state === 'delivered') return outcome.cache === 'HIT' ? 'cached' : 'delivered';
  if (outcome.errorClass === 'QuotaExceeded') return 'capped';
  if (outcome.code === 'budget_exhausted') return 'budget';
  if (outcome.code === 'transcript_not_ready') return 'not_ready';
  return outcome.retryable && !singleVideoCodes.has(outcome.code) ? 'trouble' : 'definite';
};

const errorOf = ({ errorClass, code, message, retryable }: FailedChange): RowError => ({
  errorClass,
  code,
  message,
  retryable,
});

/** The row leaves the fetcher without using up a try. */
export const releaseRow = ({ position, tries, waitingSince }: RowState): RowChange => ({
  ...{ position, status: 'pending', operationId: null, isAttempt: false, tries },
  ...{ waitingFor: null, nextAttemptAt: null, waitingSince, delivered: null, error: null },
});

const deliver = (row: RowState, delivered: DeliveredChange): RowChange => ({
  ...releaseRow(row),
  ...{ status: delivered.charge > 0 ? 'fetched' : 'cached', isAttempt: true, delivered },
});

const fail = (row: RowState, failed: FailedChange): RowChange => ({
  ...releaseRow(row),
  ...{ status: 'error', isAttempt: true, error: errorOf(failed) },
});

const tryAgain = (row: RowState, failed: FailedChange, now: Date): RowChange => {
  const tries = row.tries + 1;
  if (tries >= MAX_ATTEMPTS) return { ...fail(row, failed), tries };
  const waitMs = Math.max(waitAfterTry[tries - 1] ?? 0, (failed.retryAfterSeconds ?? 0) * SECOND_MS);
  const nextAttemptAt = later(now, waitMs);
  return {
    ...releaseRow(row),
    isAttempt: true,
    tries,
    waitingFor: 'retry',
    nextAttemptAt,
    error: errorOf(failed),
  };
};

/** What cannot be ready before the longest wait is over is not waited for. */
const waitForVideo = (row: RowState, failed: FailedChange, { isAutomatic, now }: JobContext): RowChange => {
  const waitingSince = row.waitingSince ?? now;
  const maxWaitMs = isAutomatic ? MAX_MONITOR_WAIT_MS : MAX_WAIT_MS;
  const remainingMs = waitingSince.getTime() + maxWaitMs - now.getTime();
  if (remainingMs <= 0 || (failed.retryAfterSeconds ?? 0) * SECOND_MS > remainingMs) return fail(row, failed);
  const nextAttemptAt = later(now, Math.min(toWaitMs(failed.retryAfterSeconds, liveWait), remainingMs));
  return { ...releaseRow(row), waitingFor: 'broadcast', nextAttemptAt, waitingSince, error: errorOf(failed) };
};

/** A video that a monitor has just found may have the captions of its author before those of its speech. Waits as long again as it has. */
const waitForLanguage = (row: RowState, failed: FailedChange, now: Date): RowChange => {
  const waitingSince = row.waitingSince ?? now;
  const elapsedMs = now.getTime() - waitingSince.getTime();
  const remainingMs = MAX_LANGUAGE_WAIT_MS - elapsedMs;
  if (remainingMs <= 0) return fail(row, failed);
  const nextAttemptAt = later(now, Math.min(clamp(elapsedMs, languageWait), remainingMs));
  return { ...releaseRow(row), waitingFor: 'broadcast', nextAttemptAt, waitingSince, error: errorOf(failed) };
};

/** The outcomes since the platform's last definite answer, which resets the count. */
const updateTrouble = (kinds: readonly OutcomeKind[], { trouble, now }: JobContext): Trouble => {
  const failures = kinds.filter((kind) => kind === 'trouble').length;
  const isAnswered = kinds.some((kind) => ['delivered', 'definite', 'not_ready'].includes(kind));
  if (isAnswered) return { count: 0, since: null };
  if (failures === 0) return trouble;
  return { count: trouble.count + failures, since: trouble.since ?? now };
};

/** In a small job without an answer, failures of platform and rows look alike, so it is given less time. */
const isOutage = ({ count, since }: Trouble, remaining: number, { isAnswered, now }: JobContext): boolean => {
  if (since === null || now.getTime() - since.getTime() >= MAX_WAIT_MS) return false;
  if (count >= OUTAGE_AFTER && remaining >= OUTAGE_AFTER) return true;
  return !isAnswered && count >= remaining && count < DOUBTS_PER_ROW * remaining;
};

const decidePause = (outcomes: readonly Outcome[], outage: Date | null, now: Date): Pause | null => {
  const first = (kind: OutcomeKind) =>
    outcomes.find((outcome): outcome is FailedChange => outcome.state === 'failed' && kindOf(outcome) === kind);
  const capped = first('capped');
  const after = (failed: FailedChange, wait: WaitBounds) =>
    snapToMidnight(later(now, toWaitMs(failed.retryAfterSeconds, wait)));
  if (capped) return { reason: 'daily_limit', lookAt: after(capped, dayWait) };
  const budget = first('budget');
  if (budget) return { reason: 'budget_exhausted', lookAt: after(budget, budgetWait) };
  if (outage === null) return null;
  const waitMs = outageWaitMs(now.getTime() - outage.getTime());
  return { reason: 'platform_unavailable', lookAt: later(now, waitMs) };
};

const evaluateRow = (row: RowState, outcome: Outcome, isOut: boolean, context: JobContext): RowChange => {
  if (outcome.state === 'delivered') return deliver(row, outcome);
  const kind = kindOf(outcome);
  if (kind === 'budget' || kind === 'capped' || (kind === 'trouble' && isOut)) return releaseRow(row);
  if (kind === 'not_ready') return waitForVideo(row, outcome, context);
  if (outcome.code === 'language_unavailable' && context.isAutomatic)
    return waitForLanguage(row, outcome, context.now);
  return outcome.retryable ? tryAgain(row, outcome, context.now) : fail(row, outcome);
};

export const asCancelled = (change: RowChange): RowChange =>
  change.status === 'pending'
    ? { ...change, status: 'cancelled', waitingFor: null, nextAttemptAt: null }
    : change;

/**
 * Decides the outcome of rows whose operations have ended, and whether the job pauses. Platform failures during an outage use up no try;
 * waits for a live video, the budget or midnight never do.
 */
export const evaluate = (
  endedRows: readonly { readonly row: RowState; readonly outcome: Outcome }[],
  context: JobContext,
): Evaluation => {
  const { now, isOver } = context;
  const outcomes = endedRows.map(({ outcome }) => outcome);
  const kinds = outcomes.map(kindOf);
  const trouble = updateTrouble(kinds, context);
  const remaining = context.rowsLeft - kinds.filter((kind) => kind === 'cached').length;
  // An earlier failure has paused the job already.
  const isOut = kinds.includes('trouble') && isOutage(trouble, remaining, context);
  const outage = isOut ? trouble.since : null;
  const changes = endedRows.map(({ row, outcome }) => evaluateRow(row, outcome, isOut, context));
  if (isOver) return { changes: changes.map(asCancelled), trouble, pause: null };
  return { changes, trouble, pause: decidePause(outcomes, outage, now) };
};

/** Errors that another attempt may avoid: a retry of the job requeues them. */
export const mayBeRetried = ({ code, retryable }: Pick<RowError, 'code' | 'retryable'>): boolean =>
  retryable || code === 'transcript_not_ready' || code === 'po_token_required';
