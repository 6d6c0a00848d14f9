import { randomUUID } from 'node:crypto';
import {
  type BatchRow,
  MAX_BATCH_ROWS,
  type PauseReason,
  type ReplyOf,
  transcriptFetcher,
} from '@tds/contracts';
import { errorCodeDefinition } from '@tds/errors';
import type { CallContext } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { hasEnded, pauseFailsAt, pauseForRefusal, pausesBatch } from '../domain/job-state.ts';
import { OUTAGE_AFTER } from '../domain/outcomes.ts';
import { OPENING_LEASE_MS, wakeForCredits } from '../store/clocks.ts';
import type { Job } from '../store/jobs.ts';
import { beginAttempts, dropAttempts, failRows, findRowsAtFetcher } from '../store/rows.ts';
import type { SavedJob } from '../store/save-job.ts';
import {
  asPaused,
  asResumed,
  cancelLockedJob,
  changeJob,
  enqueuePause,
  type JobLock,
  resumeJob,
  save,
} from './change-job.ts';

/** Rows with saved operations that the fetcher is asked to open. */
export type Opening = { readonly job: Job; readonly rows: readonly BatchRow[] };
type SubmitBatchReply = ReplyOf<typeof transcriptFetcher.submitBatch>;

export const leaseFrom = (now: Date) => ({
  openingId: randomUUID(),
  dueAt: new Date(now.getTime() + OPENING_LEASE_MS),
});

const openingEnded = { openingId: null, isForgotten: false };

/**
 * Prepares a repeat of an opening whose answer was lost: only the last answer counts. If changes have ended all rows, there is nothing to
 * repeat.
 */
export const repeatOpening = async (lock: JobLock): Promise<SavedJob & Opening> => {
  const rows = await findRowsAtFetcher(lock.tx, lock.job.id);
  // A restored fetcher may have lost these rows, so it looks up which of them are paid.
  const lease = { ...leaseFrom(lock.now), isForgotten: true };
  return { ...(await save(lock, rows.length > 0 ? lease : openingEnded)), rows };
};

/** Asks the fetcher to open rows. A repeat opens nothing twice. Rows of a job in creation do not begin. */
export const requestOpening = async (
  { call }: Deps,
  { job, rows }: Opening,
  context: CallContext,
): Promise<SubmitBatchReply> => {
  const { id: batchId, accountId, keyId, language, fallback, format, isForgotten, monitorId } = job;
  // A batch that the fetcher lost would be open again: stop it first if the job is cancelled.
  if (job.status === 'cancelled')
    await call(transcriptFetcher.pauseBatch, { batchId, accountId, as: 'stopped' }, context);
  const selection = { language, fallback, format };
  const isAccepted = job.status !== 'creating';
  const ids = { batchId, accountId, keyId, monitorId };
  const request = { ...ids, ...selection, rows: [...rows], isAccepted, isForgotten };
  const reply = await call(transcriptFetcher.submitBatch, request, context);
  crashPoint('job-batch-opened');
  return reply;
};

type OpeningAnswer = Pick<SubmitBatchReply, 'refusal'> & {
  /** The job at the time of the request. */
  readonly previous: Job;
  readonly hasOpened: boolean;
};

/** Returns true if a pause has ended, because its rows were opened when it was due. */
const isPauseOver = ({ pauseReason, lookAt }: Job, now: Date): boolean =>
  pauseReason === null || (lookAt !== null && lookAt <= now);

const applyOpeningAnswer = async (lock: JobLock, { previous, refusal, hasOpened }: OpeningAnswer) => {
  const { send, job, now } = lock;
  const isSamePause = job.pauseReason === previous.pauseReason;
  // A job that makes progress is not given up, however slow.
  const pauseClock = hasOpened ? { pausedSince: null } : {};
  const pause = refusal && pauseForRefusal(refusal, now);
  if (pause) {
    const before = { pauseReason: isSamePause ? null : job.pauseReason };
    return save(lock, { ...openingEnded, ...asPaused(before, pause), ...pauseClock });
  }
  if (refusal) return (await cancelLockedJob(lock, openingEnded)) ?? save(lock, openingEnded);
  const resumes = isSamePause && isPauseOver(previous, now);
  // The batch may have been paused since then, before these rows arrived.
  if (!isSamePause || (!resumes && pausesBatch(job.pauseReason))) await enqueuePause(send, job.id);
  return save(lock, { ...openingEnded, ...(resumes && asResumed) });
};

/** Saves the fetcher's answer. Returns null if the opening was repeated since. */
export const saveOpening = (
  deps: Deps,
  { job: previous, rows }: Opening,
  { unopened, refusal }: SubmitBatchReply,
): Promise<SavedJob | null> =>
  changeJob(deps, previous.id, async (lock) => {
    const { tx, job } = lock;
    if (job.openingId !== previous.openingId) return null;
    await dropAttempts(tx, job.id, unopened, job.status === 'cancelled' ? 'cancelled' : 'pending');
    return applyOpeningAnswer(lock, { previous, refusal, hasOpened: unopened.length < rows.length });
  });

const codeOf = {
  insufficient_credits: 'insufficient_credits',
  daily_limit: 'daily_credit_cap',
  budget_exhausted: 'budget_exhausted',
  platform_unavailable: 'upstream_error',
  waiting_for_broadcast: 'transcript_not_ready',
  key_revoked: 'key_revoked',
  account_frozen: 'account_frozen',
} as const satisfies Record<PauseReason, string>;

/** Fails a job whose pause exceeded the limit. */
const giveUp = async (lock: JobLock, reason: PauseReason) => {
  const code = codeOf[reason];
  const { errorClass, message } = errorCodeDefinition(code);
  await failRows(lock.tx, lock.job.id, { errorClass, code, message, retryable: true });
  const failed = await save(lock, { ...asResumed, status: 'failed', error: { errorClass, code } });
  return { ...failed, rows: [] };
};

/** Gives each due row an operation, saved before it is used. In trouble only a few rows go first. */
const beginRows = async (lock: JobLock) => {
  const { tx, job, now } = lock;
  const limit = job.troubleSince === null ? MAX_BATCH_ROWS : OUTAGE_AFTER;
  const rows = await beginAttempts(tx, job.id, limit);
  return { ...(await save(lock, rows.length > 0 ? leaseFrom(now) : asResumed)), rows };
};

const prepareOpening = async (lock: JobLock) => {
  const { job, now } = lock;
  if (job.openingId !== null) return repeatOpening(lock);
  if (hasEnded(job.status)) return { ...(await save(lock, {})), rows: [] };
  const { pauseReason, pausedSince, lookAt } = job;
  if (pauseReason !== null) {
    if (pausedSince !== null && now >= pauseFailsAt(pausedSince)) return giveUp(lock, pauseReason);
    if (lookAt === null || lookAt > now) return { ...(await save(lock, {})), rows: [] };
  }
  return job.isListed ? beginRows(lock) : { ...(await resumeJob(lock)), rows: [] };
};

/** Opens the due rows of a job. A repeat changes nothing; after a death the sweep repeats it when the lease ends. */
export const advanceJob = async (deps: Deps, jobId: string, context: CallContext) => {
  const opening = await changeJob(deps, jobId, prepareOpening);
  if (opening !== null && opening.rows.length > 0) await openSavedRows(deps, opening, context);
};

/** Opens saved rows at the fetcher, and saves the answer. */
export const openSavedRows = async (deps: Deps, opening: Opening, context: CallContext) => {
  const reply = await requestOpening(deps, opening, context);
  await saveOpening(deps, opening, reply);
  deps.changes.read(opening.job.id, reply.version);
  // The remaining credits may be enough for the next waiting job.
  const hadNoCredits = opening.job.pauseReason === 'insufficient_credits' && reply.refusal === null;
  if (hadNoCredits) await wakeForCredits(deps.db, opening.job.accountId);
};
