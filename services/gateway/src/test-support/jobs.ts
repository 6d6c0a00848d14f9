import { createHash, randomUUID } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { type JobSummary, type ManifestRow, undeliveredRow } from '@tds/contracts';
import { newDelivery } from '@tds/contracts/testing';
import { VIDEO_ID } from './builders.ts';

const TIME = '2026-01-15T11:00:00.000Z';
const counts = { total: 1, pending: 0, processing: 0, cached: 0, fetched: 1, error: 0, cancelled: 0 };

export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

export const newJob = (overrides: Partial<JobSummary> = {}): JobSummary => ({
  ...{ resumes_at: null, name: null, metadata: {} },
  ...{ id: randomUUID(), status: 'completed', pause_reason: null, error: null, format: 'srt', counts },
  ...{
    source: { kind: 'video_ids', input: null, contents: 'all' },
    omitted: 0,
    language: 'en',
    fallback: true,
    receivers: [],
    monitor_id: null,
    person_id: null,
    notify_email: false,
    mail: 'none',
  },
  ...{ credits: { reserved: 0, charged: 1 }, webhook: { url: null, status: 'none' } },
  ...{ created_at: TIME, started_at: TIME, finished_at: TIME },
  resumes_at: null,
  name: null,
  metadata: {},
  ...overrides,
});

/** A delivered row, and its file as it is stored. */
export const newStoredRow = (file: string, overrides: Partial<ManifestRow> = {}) => {
  const objectKey = `rendered/${randomUUID()}/srt`;
  const row: ManifestRow = {
    ...newDelivery({ transcript_id: randomUUID(), object_key: objectKey }),
    ...{ position: 0, video_id: VIDEO_ID, published_at: TIME, status: 'fetched', attempts: 1 },
    ...{ requested_language: 'en', language: 'en', credits_charged: 1, error_class: null, error_code: null },
    ...{ message: null, retryable: null, waiting_for: null, next_attempt_at: null },
    ...{ bytes: Buffer.byteLength(file), sha256: sha256(Buffer.from(file)), ...overrides },
  };
  return { row, objectKey, stored: deflateRawSync(file) };
};

const { title: _title, published_at: _date, ...nothing } = undeliveredRow;
export const undeliveredFields: Partial<ManifestRow> = { ...nothing, language: null, credits_charged: 0 };
