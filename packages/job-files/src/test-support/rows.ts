import { type ManifestRow, undeliveredRow } from '@tds/contracts';
import { newDelivery } from '@tds/contracts/testing';

/** A delivered row; its id ends with its position. */
export const newRow = ({ position = 0, ...fields }: Partial<ManifestRow> = {}): ManifestRow => ({
  position,
  video_id: String(position).padStart(11, 'A'),
  ...newDelivery(),
  published_at: '2026-03-01T10:00:00.000Z',
  status: 'fetched',
  requested_language: 'en',
  language: 'en',
  attempts: 1,
  credits_charged: 1,
  error_class: null,
  error_code: null,
  message: null,
  retryable: null,
  waiting_for: null,
  next_attempt_at: null,
  ...fields,
});

/** What a row has that failed. Its title and its date are of the listing. */
const { title: _title, published_at: _date, ...nothing } = undeliveredRow;
export const undeliveredFields = { status: 'error', ...nothing, language: null, credits_charged: 0 } as const;
