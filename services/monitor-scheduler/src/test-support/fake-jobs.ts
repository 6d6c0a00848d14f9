import { randomUUID } from 'node:crypto';
import { bulkOrchestrator, type Job, type RequestOf } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { createFake } from '@tds/kit/testing';

type CreateJobRequest = RequestOf<typeof bulkOrchestrator.createJob>;
export type Refusal =
  | 'insufficient_credits'
  | 'active_job_cap'
  | 'job_size_cap'
  | 'account_frozen'
  | 'unexpected_error'
  | 'service_unavailable';

const lacking = { required: 1, available: 0, shortfall: 1, buy_url: '' };
const toRefusalError = (code: Refusal) =>
  code === 'insufficient_credits' ? serviceError(code, { extras: lacking }) : serviceError(code);

/** Jobs by their keys, answered like by bulk-orchestrator; a refusal stays until it is removed. */
export const fakeJobs = () => {
  const jobs = new Map<string, CreateJobRequest>();
  const state: { refusal: Refusal | null; losesAnswers: boolean; gate: Promise<void> | null } = {
    ...{ refusal: null, losesAnswers: false, gate: null },
  };
  const fake = createFake(bulkOrchestrator, {
    createJob: async (request) => {
      const key = request.idempotencyKey ?? randomUUID();
      await state.gate;
      const isAdmitted = state.refusal === 'active_job_cap' && request.isRestored === true;
      if (!jobs.has(key) && state.refusal !== null && !isAdmitted) throw toRefusalError(state.refusal);
      const first = jobs.get(key);
      if (first && first.webhookUrl !== request.webhookUrl) throw serviceError('idempotency_key_reused');
      if (!jobs.has(key)) jobs.set(key, request);
      if (state.losesAnswers) throw serviceError('service_unavailable');
      return { job: jobAnswer, isReplayed: false };
    },
  });
  return {
    fake,
    jobs,
    refuse: (code: Refusal | null) => {
      state.refusal = code;
    },
    /** Loses the latest job of a monitor. */
    loseLastJob: (monitorId: string) => {
      const [key] = [...jobs].findLast(([, job]) => job.monitorId === monitorId) ?? [];
      if (key === undefined) throw new Error('the monitor has no job');
      jobs.delete(key);
    },
    /** Jobs are created, but the answers are lost. */
    loseAnswers: (isLost: boolean) => {
      state.losesAnswers = isLost;
    },
    /** Delays all answers until the result is called. */
    holdJobs: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      state.gate = promise;
      return () => {
        state.gate = null;
        resolve();
      };
    },
  };
};

const jobAnswer: Job = {
  ...{ id: randomUUID(), status: 'pending', pause_reason: null, resumes_at: null, name: null, metadata: {} },
  ...{
    error: null,
    source: { kind: 'video_ids', input: null },
    format: 'both',
    language: 'en',
    fallback: true,
  },
  counts: { total: 0, pending: 0, processing: 0, cached: 0, fetched: 0, error: 0, cancelled: 0 },
  ...{
    credits: { reserved: 0, charged: 0 },
    webhook: { url: null, status: 'none' },
    monitor_id: null,
    notify_email: false,
  },
  ...{ created_at: '2026-01-01T00:00:00.000Z', started_at: null, finished_at: null, videos: [] },
};
