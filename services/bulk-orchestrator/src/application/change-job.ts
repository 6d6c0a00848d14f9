import { randomUUID } from 'node:crypto';
import { bulkOrchestrator, type JobStatus, serviceError } from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { hasEnded, isByOwner, type Pause } from '../domain/job-state.ts';
import type { Db } from '../store/database.ts';
import { pauseOf } from '../store/job-views.ts';
import { databaseNow, findOwnJob, type Job, lockJob } from '../store/jobs.ts';
import { cancelRows } from '../store/rows.ts';
import { type Change, eraseJob, type Saved, saveJob } from '../store/save-job.ts';
import type { Surface } from '../surface.ts';

type Told = 'jobCompleted' | 'jobFailed' | 'jobPaused' | 'jobResumed' | 'jobRetried';

/** A job that nobody else changes until this transaction has ended. */
export type Locked = {
  readonly tx: Db;
  readonly send: Sender<Surface>;
  readonly job: Job;
  readonly now: Date;
};

const toldOf = (before: JobStatus, after: JobStatus): Told | null => {
  if (before === after) return null;
  if (after === 'completed') return 'jobCompleted';
  if (after === 'failed') return 'jobFailed';
  if (after === 'paused') return 'jobPaused';
  return before === 'paused' && after !== 'cancelled' ? 'jobResumed' : null;
};

/** Tells others what has become of a job, with what it adds up to in this transaction. */
const tell = (send: Sender<Surface>, event: Told, { job, numbers }: Saved): Promise<void> => {
  const { pause_reason: pauseReason, resumes_at: resumesAt } = pauseOf(job, numbers);
  return send.emit(bulkOrchestrator[event], {
    jobId: job.id,
    accountId: job.accountId,
    monitorId: job.monitorId,
    name: job.name,
    metadata: job.metadata,
    status: job.status,
    pauseReason,
    resumesAt,
    counts: numbers.counts,
    credits: numbers.credits,
    webhookUrl: job.webhookUrl,
    version: job.version,
  });
};

/** Saves what has happened to a job or its rows, and tells others if it has come to a stop or goes on. */
export const save = async (
  { tx, send, job, now }: Locked,
  change: Change,
  event: Told | null = null,
): Promise<Saved> => {
  const saved = await saveJob(tx, job, change, now);
  const told = event ?? toldOf(job.status, saved.job.status);
  if (told) await tell(send, told, saved);
  return saved;
};

/** Locks the job, and does in the same transaction what `work` says; null if there is no such job, or nothing has changed. */
export const changeJob = async <Result extends Saved>(
  { db, messaging, progress }: Pick<Deps, 'db' | 'messaging' | 'progress'>,
  id: string,
  work: (locked: Locked) => Promise<Result | null>,
): Promise<Result | null> => {
  const saved = await messaging.transaction(db, async (tx: Db, send) => {
    const job = await lockJob(tx, id);
    return job && work({ tx, send, job, now: await databaseNow(tx) });
  });
  if (saved) progress.tell(saved.job);
  return saved;
};

/** Throws `job_not_found` for the jobs of others as for those that nobody has. */
export const ownJob = async (
  db: Db,
  { accountId, jobId }: { readonly accountId: string; readonly jobId: string },
): Promise<Job> => {
  const job = await findOwnJob(db, accountId, jobId);
  if (job === null) throw serviceError('job_not_found');
  return job;
};

/**
 * Tells the fetcher to begin nothing more of this job, however often that takes. A task of its own each time: one that is running may
 * have been heard before what this one is for.
 */
export const haltLater = async (send: Locked['send'], jobId: string): Promise<void> => {
  await send.enqueue(bulkOrchestrator.haltJob, { jobId });
};

/** What a pause changes: what the owner alone can end stays until then. */
export const asPaused = ({ pauseReason }: Pick<Job, 'pauseReason'>, { reason, lookAt }: Pause): Change =>
  isByOwner(pauseReason) && pauseReason !== reason ? {} : { pauseReason: reason, lookAt };

export const asResumed = { pauseReason: null, lookAt: null } satisfies Change;

/** Nothing more of the job is begun until somebody lets it go on, or its time has come. */
export const pauseJob = async (locked: Locked, pause: Pause): Promise<Saved | null> => {
  if (hasEnded(locked.job.status)) return null;
  await haltLater(locked.send, locked.job.id);
  return save(locked, asPaused(locked.job, pause));
};

/** What is left is due: the sweep opens it, or its source is listed, by one task at a time. */
export const resumeJob = async (
  locked: Locked,
  change: Change = {},
  event: Told | null = null,
): Promise<Saved> => {
  const { send, job } = locked;
  const jobId = job.id;
  if (!job.isListed) await send.enqueue(bulkOrchestrator.enumerateJob, { jobId }, { key: jobId });
  return save(locked, { ...asResumed, ...change }, event);
};

/** Nothing is begun any more; what is at the fetcher ends there, and its news say how. */
export const cancelLocked = async (locked: Locked, change: Change = {}): Promise<Saved | null> => {
  if (hasEnded(locked.job.status)) return null;
  await cancelRows(locked.tx, locked.job.id);
  await haltLater(locked.send, locked.job.id);
  return save(locked, { ...asResumed, ...change, status: 'cancelled' });
};

/** The fetcher has lost rows of the line: all that have not ended are opened again, and news read from the beginning. */
export const forgetLine = async (locked: Locked): Promise<Saved | null> => {
  const { job, now } = locked;
  const isOpen = job.heardAt !== null && job.openingId === null && job.status !== 'creating';
  if (!isOpen) return null;
  const opening = { openingId: randomUUID(), isForgotten: true, dueAt: now };
  return save(locked, { ...opening, lineVersion: 0, linePosition: -1 });
};

type ToldEraseAgain = { readonly jobId: string };

/**
 * Others have heard that a job is erased which this database, a copy from before, still has: its owner or its age wanted that. What ran in
 * it then has ended since, so nothing of it begins any more. Throws `job_not_ended` until its last row has said so.
 */
export const eraseAgain = async (
  deps: Pick<Deps, 'db' | 'messaging' | 'progress'>,
  { jobId }: ToldEraseAgain,
): Promise<void> => {
  await changeJob(deps, jobId, cancelLocked);
  await deps.messaging.transaction(deps.db, async (tx) => {
    const job = await lockJob(tx, jobId);
    if (job === null || job.erasedAt !== null) return;
    if (job.finishedAt === null) throw serviceError('job_not_ended');
    await eraseJob(tx, job);
  });
};
