import { bulkOrchestrator, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { ownJob } from '../application/own-job.ts';
import type { Deps } from '../deps.ts';
import { eraseJob } from '../store/erase-job.ts';
import { lockJob } from '../store/jobs.ts';

/** Its head stays, so that its Idempotency-Key and its line belong to somebody. */
export const deleteJob = onCommand(bulkOrchestrator.deleteJob, async ({ db, messaging }: Deps, request) => {
  const { id } = await ownJob(db, request);
  await messaging.transaction(db, async (tx, send) => {
    const job = await lockJob(tx, id);
    if (job === null || job.erasedAt !== null) throw serviceError('job_not_found');
    if (job.finishedAt === null) throw serviceError('job_not_ended');
    await eraseJob(tx, job);
    await send.emit(bulkOrchestrator.jobErased, { jobId: id, accountId: job.accountId });
  });
  return {};
});
