import type { JobSummary } from '@tds/contracts';

const TIME = '2026-01-15T11:00:00.000Z';

/** The parts of a job's summary that no benchmark reads. */
export const runningJob = (id: string): JobSummary => ({
  ...{ id, status: 'running', pause_reason: null, resumes_at: null, name: null, metadata: {} },
  ...{ error: null, format: 'srt', language: 'en', fallback: true, monitor_id: null, notify_email: false },
  source: { kind: 'video_ids', input: null },
  counts: { total: 500, pending: 300, processing: 20, cached: 100, fetched: 75, error: 5, cancelled: 0 },
  credits: { reserved: 320, charged: 75 },
  webhook: { url: null, status: 'none' },
  ...{ created_at: TIME, started_at: TIME, finished_at: null },
});

/** The same job when all its rows are fetched as JSON. */
export const completedJob = (id: string, total: number): JobSummary => ({
  ...runningJob(id),
  ...{ status: 'completed', format: 'json', finished_at: TIME },
  counts: { total, pending: 0, processing: 0, cached: 0, fetched: total, error: 0, cancelled: 0 },
  credits: { reserved: 0, charged: total },
});
