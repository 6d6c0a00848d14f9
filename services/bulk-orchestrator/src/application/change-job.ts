import { randomUUID } from 'node:crypto';
import { pick, readDatabaseClock } from '@tds/base';
import { bulkOrchestrator, identity, type JobStatus } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { CallContext } from '@tds/kit';
import type { Sender } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { hasEnded, onlyOwnerEnds, type Pause } from '../domain/job-state.ts';
import type { Db } from '../store/database.ts';
import { toPauseFields } from '../store/job-views.ts';
import { findOwnJob, type Job, lockJob } from '../store/jobs.ts';
import { cancelRows } from '../store/rows.ts';
import { type Change, type SavedJob, saveJob } from '../store/save-job.ts';
import type { Surface } from '../surface.ts';

type JobEvent = 'jobCompleted' | 'jobFailed' | 'jobCancelled' | 'jobPaused' | 'jobResumed' | 'jobRetried';

/** A job under its lock, until the end of the transaction. */
export type JobLock = {
  readonly tx: Db;
  readonly send: Sender<Surface>;
  readonly job: Job;
  readonly now: Date;
};

const toJobEvent = (before: JobStatus, after: JobStatus): JobEvent | null => {
  if (before === after) return null;
  if (after === 'completed') return 'jobCompleted';
  if (after === 'failed') return 'jobFailed';
  if (after === 'cancelled') return 'jobCancelled';
  if (after === 'paused') return 'jobPaused';
  return before === 'paused' ? 'jobResumed' : null;
};

/** Emits an event with the job's numbers as of this transaction. */
const emitJobEvent = (send: Sender<Surface>, event: JobEvent, { job, numbers }: SavedJob) => {
  const { pause_reason: pauseReason, resumes_at: resumesAt } = toPauseFields(job, numbers);
  return send.emit(bulkOrchestrator[event], {
    jobId: job.id,
    ...pick(job, 'accountId', 'monitorId', 'name', 'metadata', 'status', 'version', 'omitted'),
    ...pick(job, 'webhookUrl', 'webhookKeyId', 'notifyEmail', 'dailyMail', 'personId'),
    receiverIds: job.receivers,
    ...pick(numbers, 'counts', 'credits'),
    pauseReason,
    resumesAt,
  });
};

/** Saves a change of a job or its rows, and emits an event if the job stops or continues. */
export const save = async (
  { tx, send, job, now }: JobLock,
  change: Change,
  event: JobEvent | null = null,
): Promise<SavedJob> => {
  const saved = await saveJob(tx, job, change, now);
  const jobEvent = event ?? toJobEvent(job.status, saved.job.status);
  if (jobEvent) await emitJobEvent(send, jobEvent, saved);
  return saved;
};

/** Runs `work` under the job's lock, in one transaction. Returns null if the job does not exist or nothing changed. */
export const changeJob = async <Result extends SavedJob>(
  { db, messaging, progress }: Deps,
  id: string,
  work: (lock: JobLock) => Promise<Result | null>,
): Promise<Result | null> => {
  const saved = await messaging.transaction(db, async (tx: Db, send) => {
    const job = await lockJob(tx, id);
    return job && work({ tx, send, job, now: await readDatabaseClock(tx) });
  });
  if (saved) progress.hint(saved.job);
  return saved;
};

/** Throws `job_not_found` for jobs of other accounts, as for unknown ones. */
export const requireJob = async (
  db: Db,
  { accountId, jobId }: { readonly accountId: string; readonly jobId: string },
): Promise<Job> => {
  const job = await findOwnJob(db, accountId, jobId);
  if (job === null) throw serviceError('job_not_found');
  return job;
};

type AskingKey = { readonly keyId?: string | null | undefined };

/** Throws `begun_by_another_key` if the asking key may not change the job. */
export const assertOwn = async (
  { call }: Deps,
  { accountId, keyId: begunBy }: Pick<Job, 'accountId' | 'keyId'>,
  { keyId }: AskingKey,
  context: CallContext,
) => {
  if (keyId && keyId !== begunBy) await call(identity.checkOwnWork, { accountId, keyId, begunBy }, context);
};

/** The job, if the asking key may change it. */
export const requireOwnJob = async (
  deps: Deps,
  request: AskingKey & Parameters<typeof requireJob>[1],
  context: CallContext,
): Promise<Job> => {
  const job = await requireJob(deps.db, request);
  await assertOwn(deps, job, request, context);
  return job;
};

/**
 * Enqueues the pause of a job's batch, which is retried until the fetcher confirms it. A new task each time: a running one may have been
 * answered before this change.
 */
export const enqueuePause = (send: JobLock['send'], jobId: string) =>
  send.enqueue(bulkOrchestrator.pauseBatch, { jobId });

/** The change of a pause. A pause that only the owner can end stays. */
export const asPaused = ({ pauseReason }: Pick<Job, 'pauseReason'>, { reason, lookAt }: Pause): Change =>
  onlyOwnerEnds(pauseReason) && pauseReason !== reason ? {} : { pauseReason: reason, lookAt };

export const asResumed = { pauseReason: null, lookAt: null } satisfies Change;

/** Begins nothing more of the job until it is resumed or its time has come. */
export const pauseJob = async (lock: JobLock, pause: Pause): Promise<SavedJob | null> => {
  if (hasEnded(lock.job.status)) return null;
  await enqueuePause(lock.send, lock.job.id);
  return save(lock, asPaused(lock.job, pause));
};

/** Makes the remaining rows due for the sweep, or lists the source, one task at a time. */
export const resumeJob = async (
  lock: JobLock,
  change: Change = {},
  event: JobEvent | null = null,
): Promise<SavedJob> => {
  const { send, job } = lock;
  const jobId = job.id;
  if (!job.isListed) await send.enqueue(bulkOrchestrator.enumerateJob, { jobId }, { key: jobId });
  return save(lock, { ...asResumed, ...change }, event);
};

/** Begins nothing more. Rows at the fetcher end there, and their changes say how. */
export const cancelLockedJob = async (lock: JobLock, change: Change = {}): Promise<SavedJob | null> => {
  if (hasEnded(lock.job.status)) return null;
  await cancelRows(lock.tx, lock.job.id);
  await enqueuePause(lock.send, lock.job.id);
  return save(lock, { ...asResumed, ...change, status: 'cancelled' });
};

/** For a fetcher that lost rows of the batch: opens all open rows again, and reads changes from the beginning. */
export const forgetBatch = async (lock: JobLock): Promise<SavedJob | null> => {
  const { job, now } = lock;
  const isOpen = job.heardAt !== null && job.openingId === null && job.status !== 'creating';
  if (!isOpen) return null;
  const opening = { openingId: randomUUID(), isForgotten: true, dueAt: now };
  return save(lock, { ...opening, batchVersion: 0, batchPosition: -1 });
};
