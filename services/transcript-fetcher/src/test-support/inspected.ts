import type { PlatformTrack, VideoInspection } from '@tds/video-platform';
import { video } from './cached.ts';

export const platformTrack = (languageCode: string, overrides: Partial<PlatformTrack> = {}): PlatformTrack => ({
  languageCode,
  kind: 'manual',
  name: `Captions in ${languageCode}`,
  vssId: `.${languageCode}`,
  position: 0,
  isNamed: false,
  isTranslatable: true,
  isDefaultAudio: languageCode === 'en',
  isDefault: false,
  ...overrides,
});

/** The inspection of a video with English captions that can be translated to French. */
export const buildInspection = (overrides: Partial<VideoInspection> = {}): VideoInspection => ({
  video,
  tracks: [platformTrack('en')],
  spokenLanguage: 'en',
  translationLanguages: ['fr'],
  translationsComplete: true,
  broadcast: 'none',
  lacksForSeconds: null,
  strategy: 'android',
  exit: 'direct',
  ...overrides,
});
