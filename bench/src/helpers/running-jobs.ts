import { bulkOrchestrator, type JobSummary } from '@tds/contracts';
import { startService } from '@tds/kit';
import { fakeOf } from '@tds/kit/testing';
import { serveHelper } from '../support/helper.ts';

/** Replaces bulk-orchestrator: every id is a running job of the account that asks. */

const TIME = '2026-01-15T11:00:00.000Z';
const counts = { total: 500, pending: 300, processing: 20, cached: 100, fetched: 75, error: 5, cancelled: 0 };

const jobOf = (id: string): JobSummary => ({
  ...{ resumes_at: null, name: null, metadata: {} },
  ...{ id, status: 'running', pause_reason: null, error: null, format: 'srt', counts },
  ...{ source: { kind: 'video_ids', input: null }, language: 'en', fallback: true, monitor_id: null },
  ...{ credits: { reserved: 320, charged: 75 }, webhook: { url: null, status: 'none' } },
  ...{ created_at: TIME, started_at: TIME, finished_at: null },
  ...{ resumes_at: null, name: null, metadata: {} },
});

const fake = fakeOf(bulkOrchestrator, {
  getJobSummary: async ({ jobId }) => ({ job: jobOf(jobId), version: 1 }),
});
// It saves nothing.
const { DATABASE_URL: _, ...environment } = process.env;
await startService(fake.service, { LOG_LEVEL: 'warn', ...environment }, { processMetrics: false });

serveHelper({});
