import { bulkOrchestrator, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { ownJob } from '../application/own-job.ts';
import type { Deps } from '../deps.ts';
import { numbersOfOne } from '../store/job-numbers.ts';
import { manifestRowOf, toSummary } from '../store/job-views.ts';

export const getJobFile = onCommand(
  bulkOrchestrator.getJobFile,
  async ({ db }: Deps, { videoId, ...owned }) => {
    const job = await ownJob(db, owned);
    const row = await manifestRowOf(db, job, videoId);
    if (row === null) throw serviceError('job_video_not_found');
    return { job: toSummary(job, await numbersOfOne(db, job.id)), version: job.version, row };
  },
);
