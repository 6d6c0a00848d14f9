import { bulkOrchestrator } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { ownJob } from '../application/own-job.ts';
import type { Deps } from '../deps.ts';
import { bodyOf } from '../store/job-views.ts';

export const getJob = onCommand(bulkOrchestrator.getJob, async ({ db }: Deps, request) => {
  const job = await ownJob(db, request);
  return { job: await bodyOf(db, job), version: job.version };
});
