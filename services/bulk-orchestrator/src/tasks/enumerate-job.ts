import { bulkOrchestrator, ServiceError } from '@tds/contracts';
import { crashPoint, onTask, RetryLater, type TaskContext } from '@tds/service-kit';
import { listInput, withColdness } from '../application/list-source.ts';
import { beginWork, tell } from '../application/send-tasks.ts';
import { untilBack } from '../application/until-back.ts';
import type { Deps } from '../deps.ts';
import { type Listing, whenNotListed } from '../domain/enumeration.ts';
import type { Tx } from '../store/database.ts';
import { findJob, type Job, lockJob, moveJob } from '../store/jobs.ts';
import { insertRows, type NewRow } from '../store/rows.ts';

const LISTING_WAIT_MS = 20_000;
const ASK_AGAIN_MS = 500;

type Send = Parameters<Parameters<Deps['kit']['messaging']['transaction']>[1]>[1];

/** Ends the task with what has become of the job; nothing where its owner has cancelled it. */
const leave = async (
  { db, kit, progress }: Deps,
  jobId: string,
  task: TaskContext,
  work: (tx: Tx, send: Send, job: Job) => Promise<Job | null>,
): Promise<void> => {
  const moved = await kit.messaging.transaction(db, async (tx: Tx, send) => {
    const job = await lockJob(tx, jobId);
    await task.complete(tx);
    return job?.status === 'enumerating' ? work(tx, send, job) : null;
  });
  if (moved) progress.tell(jobId, moved.version);
};

const saveListed = (
  deps: Deps,
  jobId: string,
  sourceKind: string,
  rows: readonly NewRow[],
  task: TaskContext,
) =>
  leave(deps, jobId, task, async (tx, send, job) => {
    await insertRows(tx, jobId, rows);
    const change = { isListed: true, sourceKind, troubleSince: null };
    const listed = await moveJob(tx, job, 'listed', change, deps.now());
    if (listed) await beginWork(tx, send, listed);
    return listed;
  });

const saveNotListed = (deps: Deps, jobId: string, error: ServiceError, task: TaskContext) =>
  leave(deps, jobId, task, async (tx, send, job) => {
    const now = deps.now();
    const next: Listing = whenNotListed(error, job.troubleSince, now);
    if (next.kind === 'failed') {
      const change = { error: next.error, finishedAt: now, closedAt: now, taskId: null };
      const failed = await moveJob(tx, job, 'failed', change, now);
      if (failed) await tell(tx, send, 'jobFailed', failed);
      return failed;
    }
    const { reason: pauseReason, resumeAt, troubleSince } = next;
    const change = { pauseReason, resumeAt, troubleSince, taskId: null };
    const paused = await moveJob(tx, job, 'paused', change, now);
    if (paused) await tell(tx, send, 'jobPaused', paused);
    return paused;
  });

/** Lists the source; its rows and the task that works on them are saved together. */
export const enumerateJob = onTask(bulkOrchestrator.enumerateJob, async (deps: Deps, { jobId }, task) => {
  const job = await findJob(deps.db, jobId);
  if (job?.status !== 'enumerating' || job.sourceInput === null) return;
  const input = job.sourceInput;
  try {
    await untilBack(async () => {
      const source = await listInput(deps, input, job, LISTING_WAIT_MS, task);
      if (source === null) throw new RetryLater(ASK_AGAIN_MS, 'still being listed', { isAttempt: false });
      const rows = await withColdness(deps, source.videos, job, task);
      crashPoint('job-listed');
      await saveListed(deps, jobId, source.kind, rows, task);
    });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code === 'unexpected_error') throw error;
    await saveNotListed(deps, jobId, error, task);
  }
});
