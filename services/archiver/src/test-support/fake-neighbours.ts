import { createHash, randomUUID } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import {
  bulkOrchestrator,
  type JobSummary,
  type ManifestRow,
  type StoredFormat,
  transcriptFetcher,
  undeliveredRow,
  unknownVideo,
} from '@tds/contracts';
import { newDelivery } from '@tds/contracts/testing';
import { serviceError } from '@tds/errors';
import { createFake } from '@tds/kit/testing';
import { renderTranscript } from '@tds/transcript-format';

export type FakeJob = { job: JobSummary; version: number; rows: ManifestRow[] };

const TIME = '2026-01-15T11:00:00.000Z';
const counts = { total: 0, pending: 0, processing: 0, cached: 0, fetched: 0, error: 0, cancelled: 0 };

/** A delivered row with a track of its own. */
export const newRow = (position: number, fields: Partial<ManifestRow> = {}): ManifestRow => ({
  ...{ position, video_id: `video${String(position).padStart(6, '0')}` },
  ...newDelivery({ title: `Title ${position}`, transcript_id: randomUUID(), object_key: 'rendered/lost' }),
  ...{ bytes: 1, sha256: '0'.repeat(64), status: 'fetched', published_at: TIME },
  ...{ requested_language: 'en', language: 'en', attempts: 1, credits_charged: 1 },
  ...{ error_class: null, error_code: null, message: null, retryable: null },
  ...{ waiting_for: null, next_attempt_at: null, ...fields },
});

export const failedRow = (position: number): ManifestRow => {
  const { title: _title, published_at: _date, ...nothing } = undeliveredRow;
  const error = { status: 'error', error_class: 'NoCaptions', error_code: 'no_captions' } as const;
  return newRow(position, { ...nothing, ...error, language: null, credits_charged: 0 });
};

export const newJob = (rows: ManifestRow[], fields: Partial<JobSummary> = {}): FakeJob => ({
  version: 7,
  rows,
  job: {
    ...{ resumes_at: null, name: null, metadata: {} },
    ...{ id: randomUUID(), status: 'completed', pause_reason: null, error: null, format: 'srt' },
    ...{
      source: { kind: 'video_ids', input: null },
      language: 'en',
      fallback: true,
      monitor_id: null,
      notify_email: false,
    },
    counts: { ...counts, total: rows.length, fetched: rows.length },
    credits: { reserved: 0, charged: rows.length },
    webhook: { url: null, status: 'none' },
    ...{ created_at: TIME, started_at: TIME, finished_at: TIME },
    ...fields,
  },
});

/** Jobs of one account. */
export const fakeJobs = (accountId: string) => {
  const jobs = new Map<string, FakeJob>();
  const find = (request: { accountId: string; jobId: string }): FakeJob => {
    const job = request.accountId === accountId ? jobs.get(request.jobId) : undefined;
    if (!job) throw serviceError('job_not_found');
    return job;
  };
  const fake = createFake(bulkOrchestrator, {
    getJobSummary: async (request) => find(request),
    getJobManifest: async (request) => find(request),
  });
  return { ...fake, jobs, add: (job: FakeJob) => jobs.set(job.job.id, job) };
};

/** The text of a track: its id, repeated. */
export const renderFile = (transcriptId: string, format: StoredFormat, repeats = 1): Buffer => {
  const video = { ...unknownVideo('video000000'), title: 'T' };
  const cues = Array.from({ length: repeats }, (_, n) => ({
    ...{ startMs: n * 1_000, durationMs: 1_000, text: `${transcriptId} ${n}` },
  }));
  const input = {
    ...{ video, cues },
    language: { delivered: 'en', kind: 'manual' as const },
  };
  return Buffer.from(renderTranscript(input, format));
};

type Render = {
  readonly repeats: () => number;
};

/** Renders requested files, at most `perAnswer` at a time. */
export const fakeRenderer = ({ repeats }: Render, perAnswer = 100) => {
  const failures = { remaining: 0 };
  const renderNow = async (transcriptId: string, format: StoredFormat) => {
    const file = renderFile(transcriptId, format, repeats());
    const objectKey = `rendered/${transcriptId}/${format}`;
    await fake.kit().objects.put(objectKey, deflateRawSync(file));
    const sha256 = createHash('sha256').update(file).digest('hex');
    return {
      ...{ transcriptId, state: 'rendered' as const, objectKey, sha256 },
      ...{ bytes: file.length, crc32: crc32(file) },
    };
  };
  const rendered = new Map<string, ReturnType<typeof renderNow>>();
  const render = (transcriptId: string, format: StoredFormat) =>
    rendered.get(`${transcriptId} ${format}`) ?? renderNow(transcriptId, format);
  const fake = createFake(transcriptFetcher, {
    renderTranscripts: async ({ transcripts, format }) => {
      if (failures.remaining > 0) {
        failures.remaining -= 1;
        throw serviceError('service_unavailable', { retryAfterSeconds: 1 });
      }
      const rows = transcripts.slice(0, perAnswer).map(({ transcriptId }) => render(transcriptId, format));
      return { rows: await Promise.all(rows) };
    },
  });
  return {
    ...{ ...fake, failures },
    /** Stores a rendered file, while the service under test is not running. */
    async prepare(transcriptId: string, format: StoredFormat): Promise<void> {
      rendered.set(`${transcriptId} ${format}`, renderNow(transcriptId, format));
      await rendered.get(`${transcriptId} ${format}`);
    },
  };
};
