import type { ManifestRow } from '@tds/contracts';

/** A delivered row; its id ends with its position. */
export const newRow = ({ position = 0, ...given }: Partial<ManifestRow> = {}): ManifestRow => ({
  position,
  video_id: String(position).padStart(11, 'A'),
  title: 'A title',
  published_at: '2026-03-01T10:00:00.000Z',
  status: 'fetched',
  requested_language: 'en',
  delivered_language: 'en',
  language: 'en',
  caption_kind: 'manual',
  fallback: false,
  translation: 'not_requested',
  attempts: 1,
  credits_charged: 1,
  strategy: 'web',
  error_class: null,
  error_code: null,
  message: null,
  retryable: null,
  waiting_for: null,
  next_attempt_at: null,
  transcript_id: '00000000-0000-7000-8000-000000000001',
  object_key: 'rendered/00000000-0000-7000-8000-000000000001/srt',
  bytes: 100,
  sha256: 'ab'.repeat(32),
  crc32: 0,
  ...given,
});

/** What a row has that failed. */
export const undelivered = {
  status: 'error',
  ...{ delivered_language: null, language: null, caption_kind: null, fallback: null },
  ...{ translation: null, credits_charged: 0, strategy: null, transcript_id: null, object_key: null },
  ...{ bytes: null, sha256: null, crc32: null },
} as const;
