import { bulkOrchestrator, type JobStatus } from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import type { Db } from '../store/database.ts';
import { pauseOf } from '../store/job-views.ts';
import { databaseNow, type Job, lockJob } from '../store/jobs.ts';
import { type Change, type Saved, saveJob } from '../store/save-job.ts';
import type { Surface } from '../surface.ts';

export type Told = 'jobCompleted' | 'jobFailed' | 'jobPaused' | 'jobResumed' | 'jobRetried';

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
