import { bulkOrchestrator } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { ownJob } from '../application/own-job.ts';
import type { Deps } from '../deps.ts';
import { numbersOfOne } from '../store/job-numbers.ts';
import { manifestRowsOf, toSummary } from '../store/job-views.ts';

/** The rows may be newer than the version that it names, never older: whoever keeps them asks again too often, not too rarely. */
export const getJobManifest = onCommand(bulkOrchestrator.getJobManifest, async ({ db }: Deps, request) => {
  const job = await ownJob(db, request);
  const rows = await manifestRowsOf(db, job);
  return { job: toSummary(job, await numbersOfOne(db, job.id)), version: job.version, rows };
});
