import type { BatchOutcome, JobRowStatus, PauseReason, ServiceErrorData } from '@tds/contracts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** How often a row is tried before its failure is final. */
export const MOST_TRIES = 3;
/** How long a live or upcoming video is waited for, and a platform that fails at everything. */
export const PATIENCE_MS = 6 * HOUR_MS;
/** So many failures of the platform in a row, and nothing else, are an outage. */
const OUTAGE_AFTER = 10;
/** Of a job that has fewer rows, and never had an answer, each may fail so often before it is taken for the row's own failure. */
const DOUBTS_PER_ROW = 6;

const waitAfterTry = [5 * SECOND_MS, 30 * SECOND_MS] as const;
const liveWait = { byDefaultMs: 5 * MINUTE_MS, leastMs: 30 * SECOND_MS, mostMs: 30 * MINUTE_MS };
const budgetWait = { byDefaultMs: 10 * MINUTE_MS, leastMs: 30 * SECOND_MS, mostMs: HOUR_MS };
const outageWait = { leastMs: 30 * SECOND_MS, mostMs: 10 * MINUTE_MS };

export type RowError = Pick<ServiceErrorData, 'errorClass' | 'code' | 'message' | 'retryable'>;

/** A row whose operation is at the fetcher. */
export type RowInHand = {
  readonly position: number;
  readonly videoId: string;
  readonly operationId: string;
  readonly round: number | null;
  readonly part: number | null;
  readonly tries: number;
  readonly waitingSince: Date | null;
};

export type Delivered = Extract<BatchOutcome, { state: 'delivered' }>;

/** What becomes of a row. */
export type RowChange = {
  readonly row: RowInHand;
  readonly status: JobRowStatus;
  readonly creditsCharged: number;
  readonly delivered: Delivered | null;
  readonly error: RowError | null;
  /** It was delivered and is still to be paid, with a part of another reservation; its operation stays the same. */
  readonly isUnpaid: boolean;
  readonly tries: number;
  readonly dueAt: Date | null;
  readonly waitingSince: Date | null;
};

/** Failures of the platform since it last answered anything definite. */
export type Trouble = { readonly count: number; readonly since: Date | null };
export type Pause = { readonly reason: PauseReason; readonly resumeAt: Date };
export type Judged = {
  readonly changes: readonly RowChange[];
  readonly trouble: Trouble;
  readonly pause: Pause | null;
};

/** What the decision depends on besides the outcomes. */
export type Circumstances = {
  /** Operations whose credit is settled. */
  readonly paid: ReadonlySet<string>;
  readonly trouble: Trouble;
  /** Rows of the job that have not ended, these included. */
  readonly rowsLeft: number;
  /** Whether the platform has said anything definite of a row of this job. */
  readonly isAnswered: boolean;
  readonly now: Date;
};

const later = (now: Date, ms: number): Date => new Date(now.getTime() + ms);

const within = (ms: number, { leastMs, mostMs }: { leastMs: number; mostMs: number }): number =>
  Math.min(Math.max(ms, leastMs), mostMs);

/** The platform is left alone as long again as it has failed at everything. */
export const outageWaitMs = (lastedMs: number): number => within(lastedMs, outageWait);

const waitOf = (
  seconds: number | null,
  bounds: { byDefaultMs: number; leastMs: number; mostMs: number },
): number => within(seconds === null ? bounds.byDefaultMs : seconds * SECOND_MS, bounds);

type Failed = Extract<BatchOutcome, { state: 'failed' }>;
type Kind = 'cached' | 'delivered' | 'definite' | 'not_ready' | 'budget' | 'trouble' | 'refused';

/** A refused translation is the platform's word about one track, and says nothing of how it is. */
const ofOneTrack = new Set(['translation_refused']);

const kindOf = (outcome: BatchOutcome): Kind => {
  if (outcome.state === 'refused') return 'refused';
  // What comes from the cache says nothing of the platform.
  if (outcome.state === 'delivered') return outcome.cache === 'HIT' ? 'cached' : 'delivered';
  if (outcome.code === 'budget_exhausted') return 'budget';
  if (outcome.code === 'transcript_not_ready') return 'not_ready';
  return outcome.retryable && !ofOneTrack.has(outcome.code) ? 'trouble' : 'definite';
};

const unchanged = (row: RowInHand): RowChange => ({
  ...{ row, status: 'pending', creditsCharged: 0, delivered: null, error: null, isUnpaid: false },
  ...{ tries: row.tries, dueAt: null, waitingSince: row.waitingSince },
});

const deliver = (row: RowInHand, delivered: Delivered, paid: ReadonlySet<string>): RowChange => {
  if (delivered.charge === 0) return { ...unchanged(row), status: 'cached', delivered };
  if (!paid.has(row.operationId)) return { ...unchanged(row), isUnpaid: true };
  return { ...unchanged(row), status: 'fetched', creditsCharged: delivered.charge, delivered };
};

const errorOf = ({ errorClass, code, message, retryable }: Failed): RowError => ({
  ...{ errorClass, code, message, retryable },
});

const fail = (row: RowInHand, failed: Failed): RowChange => ({
  ...unchanged(row),
  status: 'error',
  error: errorOf(failed),
});

const tryAgain = (row: RowInHand, failed: Failed, now: Date): RowChange => {
  const tries = row.tries + 1;
  if (tries >= MOST_TRIES) return { ...fail(row, failed), tries };
  const waitMs = Math.max(waitAfterTry[tries - 1] ?? 0, (failed.retryAfterSeconds ?? 0) * SECOND_MS);
  return { ...unchanged(row), tries, dueAt: later(now, waitMs), error: errorOf(failed) };
};

const waitForVideo = (row: RowInHand, failed: Failed, now: Date): RowChange => {
  const waitingSince = row.waitingSince ?? now;
  if (now.getTime() - waitingSince.getTime() >= PATIENCE_MS) return fail(row, failed);
  const dueAt = later(now, waitOf(failed.retryAfterSeconds, liveWait));
  return { ...unchanged(row), dueAt, waitingSince, error: errorOf(failed) };
};

/** What happened since the platform last answered anything definite: an answer in between ends the count. */
const troubleAfter = (kinds: readonly Kind[], { trouble, now }: Circumstances): Trouble => {
  const troubled = kinds.filter((kind) => kind === 'trouble').length;
  const isAnswered = kinds.some((kind) => ['delivered', 'definite', 'not_ready'].includes(kind));
  if (isAnswered) return { count: 0, since: null };
  if (troubled === 0) return trouble;
  return { count: trouble.count + troubled, since: trouble.since ?? now };
};

/** Whether it matters to what becomes of these rows how many others are left. */
export const isTroubled = (
  ended: readonly { readonly outcome: BatchOutcome }[],
  { since }: Trouble,
): boolean => since !== null || ended.some(({ outcome }) => kindOf(outcome) === 'trouble');

/** A job of few rows that never had an answer cannot tell the platform's failure from its rows': that is given less time. */
const isOutage = ({ count, since }: Trouble, left: number, { isAnswered, now }: Circumstances): boolean => {
  if (since === null || now.getTime() - since.getTime() >= PATIENCE_MS) return false;
  if (count >= OUTAGE_AFTER && left >= OUTAGE_AFTER) return true;
  return !isAnswered && count >= left && count < DOUBTS_PER_ROW * left;
};

const pauseFor = (outcomes: readonly BatchOutcome[], outage: Date | null, now: Date): Pause | null => {
  const refused = outcomes.find((outcome) => outcome.state === 'refused');
  if (refused) {
    const waitMs = Math.max(refused.retryAfterSeconds ?? 0, 1) * SECOND_MS;
    return { reason: 'daily_limit', resumeAt: later(now, waitMs) };
  }
  const budget = outcomes.find((outcome) => kindOf(outcome) === 'budget') as Failed | undefined;
  if (budget) {
    return { reason: 'budget_exhausted', resumeAt: later(now, waitOf(budget.retryAfterSeconds, budgetWait)) };
  }
  if (outage === null) return null;
  const waitMs = outageWaitMs(now.getTime() - outage.getTime());
  return { reason: 'platform_unavailable', resumeAt: later(now, waitMs) };
};

/**
 * What becomes of the rows whose operations have ended, and whether the job has to pause. Failures that the platform is the cause
 * of use up no try while it fails at everything; waiting for a live video, for the budget or for midnight never does.
 */
export const judge = (
  ended: readonly { readonly row: RowInHand; readonly outcome: BatchOutcome }[],
  circumstances: Circumstances,
): Judged => {
  const { now, paid } = circumstances;
  const outcomes = ended.map(({ outcome }) => outcome);
  const kinds = outcomes.map(kindOf);
  const trouble = troubleAfter(kinds, circumstances);
  const left = circumstances.rowsLeft - kinds.filter((kind) => kind === 'cached').length;
  const outage = isOutage(trouble, left, circumstances) ? trouble.since : null;
  const changes = ended.map(({ row, outcome }): RowChange => {
    if (outcome.state === 'delivered') return deliver(row, outcome, paid);
    if (outcome.state === 'refused') return unchanged(row);
    const kind = kindOf(outcome);
    if (kind === 'budget' || (kind === 'trouble' && outage !== null)) return unchanged(row);
    if (kind === 'not_ready') return waitForVideo(row, outcome, now);
    return outcome.retryable ? tryAgain(row, outcome, now) : fail(row, outcome);
  });
  return { changes, trouble, pause: pauseFor(outcomes, outage, now) };
};

/** Errors that another attempt may end differently: those that a retry of the job takes up. */
export const mayBeRetried = ({ code, retryable }: Pick<RowError, 'code' | 'retryable'>): boolean =>
  retryable || code === 'transcript_not_ready' || code === 'po_token_required';
