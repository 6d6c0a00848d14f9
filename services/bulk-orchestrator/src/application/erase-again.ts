import { serviceError } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { eraseJob } from '../store/erase-job.ts';
import { lockJob } from '../store/jobs.ts';
import { cancelLocked } from './cancel-job.ts';
import { changeJob } from './change-job.ts';

type Told = { readonly jobId: string };

/**
 * Others have heard that a job is erased which this database, a copy from before, still has: its owner or its age wanted that. What ran in
 * it then has ended since, so nothing of it begins any more. Throws `job_not_ended` until its last row has said so.
 */
export const eraseAgain = async (
  deps: Pick<Deps, 'db' | 'messaging' | 'progress'>,
  { jobId }: Told,
): Promise<void> => {
  await changeJob(deps, jobId, cancelLocked);
  await deps.messaging.transaction(deps.db, async (tx) => {
    const job = await lockJob(tx, jobId);
    if (job === null || job.erasedAt !== null) return;
    if (job.finishedAt === null) throw serviceError('job_not_ended');
    await eraseJob(tx, job);
  });
};
