import { bulkOrchestrator } from '@tds/contracts';
import { startService } from '@tds/kit';
import { createFake } from '@tds/kit/testing';
import { serveHelper } from '../support/helper.ts';
import { runningJob } from '../support/running-job.ts';

/** Replaces bulk-orchestrator: every id is a running job of the account that asks. */

const fake = createFake(bulkOrchestrator, {
  getJobSummary: async ({ jobId }) => ({ job: runningJob(jobId), version: 1 }),
});
// It saves nothing.
const { DATABASE_URL: _, ...environment } = process.env;
await startService(fake.service, { LOG_LEVEL: 'warn', ...environment }, { processMetrics: false });

serveHelper({});
