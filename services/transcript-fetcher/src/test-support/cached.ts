import type { CacheEntry } from '../domain/cache-entry.ts';
import type { CachedSelection } from '../domain/selection.ts';
import type { CachedTranscript, RenderedFile } from '../domain/transcript.ts';

/** What the cache may hold of one video, as tests of rules begin with it. */
export const video = {
  id: 'manualEn001',
  title: 'A title',
  channel_id: null,
  channel_title: null,
  published_at: null,
  duration: 61,
} as const;

export const transcript: CachedTranscript = {
  id: '00000000-0000-7000-8000-000000000001',
  videoId: video.id,
  video,
  languageCode: 'en',
  kind: 'manual',
  cuesKey: 'cues/abc',
  cachedAt: new Date('2026-11-20T09:30:00.000Z'),
  strategy: 'android',
};

export const rendered: RenderedFile = {
  objectKey: `rendered/${transcript.id}/srt`,
  bytes: 120,
  sha256: 'a'.repeat(64),
};

export const selection: CachedSelection = {
  isFallback: false,
  translation: 'not_requested',
  available: ['en'],
  expiresAt: null,
};

/** Nothing is known of its video. */
export const nothingCached: CacheEntry = {
  video,
  fact: null,
  selection: null,
  transcript: null,
  rendered: null,
};

export const cached: CacheEntry = { ...nothingCached, selection, transcript, rendered };
