import { bulkOrchestrator } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onEvent } from '@tds/kit';
import { cancelLockedJob, changeJob } from './application/change-job.ts';
import type { Deps } from './deps.ts';
import { lockJob } from './store/jobs.ts';
import { eraseJob } from './store/save-job.ts';

/*
 * After a restore of this database, its stream still has the events that it has lost. They are applied again, in any order and number.
 */

/** Erases a job again. Cancels it first; throws `job_not_ended` until its last row has ended. */
export const jobErased = onEvent(bulkOrchestrator.jobErased, async (deps: Deps, { jobId }) => {
  await changeJob(deps, jobId, cancelLockedJob);
  await deps.messaging.transaction(deps.db, async (tx) => {
    const job = await lockJob(tx, jobId);
    if (job === null || job.erasedAt !== null) return;
    if (job.finishedAt === null) throw serviceError('job_not_ended');
    await eraseJob(tx, job);
  });
});
