import { unknownVideo } from '@tds/contracts';
import { RENDERERS } from '@tds/transcript-format';
import type { StartedFetch } from '../domain/fetch.ts';
import type { CacheAnswer, CachedSelection, CachedTranscript, KeptFile } from '../domain/transcript.ts';

/** Cached values of one video for unit tests. */
export const video = { ...unknownVideo('manualEn001'), title: 'A title', duration: 61 };

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

export const rendered: KeptFile = {
  format: 'srt',
  objectKey: `rendered/${transcript.id}/srt.${RENDERERS.srt}`,
  bytes: 120,
  sha256: 'a'.repeat(64),
  crc32: 7,
};

/** A cold track of an unknown video. */
export const unknown: CacheAnswer = {
  kind: 'unknown',
  video: unknownVideo(video.id),
};

/** A fetch with a waiting caller. */
export const buildFetch = (overrides: Partial<StartedFetch> = {}): StartedFetch => ({
  fetchId: '00000000-0000-7000-8000-000000000002',
  accountId: '00000000-0000-7000-8000-000000000003',
  videoId: video.id,
  language: 'en',
  fallback: true,
  format: 'srt',
  priority: 'reads',
  losses: 0,
  cacheAnswer: unknown,
  tracks: [],
  ...overrides,
});

export const selection: CachedSelection = {
  isFallback: false,
  translation: 'not_requested',
  available: ['en'],
  expiresAt: null,
};
