import type { DeliveredRow } from '../delivered-row.ts';

/** A delivery for tests. */
export const newDelivery = (fields: Partial<DeliveredRow> = {}): DeliveredRow => ({
  title: 'A title',
  published_at: '2026-03-01',
  channel_id: null,
  channel_title: null,
  duration: null,
  view_count: null,
  thumbnail_url: null,
  delivered_language: 'en',
  fallback: false,
  translation: 'not_requested',
  caption_kind: 'manual',
  strategy: 'web',
  words: null,
  transcript_id: '00000000-0000-7000-8000-000000000001',
  object_key: 'rendered/00000000-0000-7000-8000-000000000001/srt',
  bytes: 100,
  sha256: 'ab'.repeat(32),
  crc32: 0,
  ...fields,
});
