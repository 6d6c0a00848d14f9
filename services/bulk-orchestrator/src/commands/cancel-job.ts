import { bulkOrchestrator } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { ownJob } from '../application/own-job.ts';
import type { Deps } from '../deps.ts';
import type { Tx } from '../store/database.ts';
import { bodyOf } from '../store/job-views.ts';
import { type Job, lockJob, moveJob } from '../store/jobs.ts';
import { cancelPending } from '../store/rows.ts';

const cancel = ({ db, kit, now }: Deps, job: Job): Promise<Job> =>
  kit.messaging.transaction(db, async (tx: Tx, send) => {
    const found = (await lockJob(tx, job.id)) ?? job;
    const change = { finishedAt: now(), runnerId: null, taskId: null };
    const cancelled = await moveJob(tx, found, 'cancelled', change, now());
    if (cancelled === null) return found;
    await cancelPending(tx, job.id);
    // Whatever it is doing, its runner has nothing to save any more.
    if (found.taskId !== null) await send.cancel(found.taskId);
    await send.enqueue(bulkOrchestrator.closeJob, { jobId: job.id }, { key: job.id });
    return cancelled;
  });

/** Nothing is begun any more from here on; what is under way, and what is held, is ended by a task. */
export const cancelJob = onCommand(bulkOrchestrator.cancelJob, async (deps: Deps, request) => {
  const job = await cancel(deps, await ownJob(deps.db, request));
  deps.progress.tellEnd(job.id, job.version);
  return { job: await bodyOf(deps.db, job), version: job.version };
});
