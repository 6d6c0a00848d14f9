import { bulkOrchestrator } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { ownJob } from '../application/own-job.ts';
import type { Deps } from '../deps.ts';
import { summaryOf } from '../store/job-views.ts';

export const getJobSummary = onCommand(bulkOrchestrator.getJobSummary, async ({ db }: Deps, request) => {
  const job = await ownJob(db, request);
  return { job: await summaryOf(db, job), version: job.version };
});
