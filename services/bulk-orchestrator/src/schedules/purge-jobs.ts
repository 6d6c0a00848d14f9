import { bulkOrchestrator } from '@tds/contracts';
import { onSchedule, purgeEach } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { deleteOldDays } from '../store/admissions.ts';
import { eraseJob, oldJobs } from '../store/erase-job.ts';
import { lockJob } from '../store/jobs.ts';

/** How long the rows of a job that has ended are kept. */
const KEPT_DAYS = 180;

const eraseOldJobs =
  ({ db, messaging }: Deps) =>
  async (limit: number): Promise<number> => {
    const jobs = await oldJobs(db, KEPT_DAYS, limit);
    for (const jobId of jobs)
      await messaging.transaction(db, async (tx, send) => {
        const job = await lockJob(tx, jobId);
        if (job === null || job.erasedAt !== null || job.finishedAt === null) return;
        await eraseJob(tx, job);
        await send.emit(bulkOrchestrator.jobErased, { jobId, accountId: job.accountId });
      });
    return jobs.length;
  };

export const purgeJobs = onSchedule(async (deps: Deps, { signal }) => {
  const days = (limit: number) => deleteOldDays(deps.db, limit);
  await purgeEach({ jobs: eraseOldJobs(deps), days }, { signal, batch: 100 });
});
