import { unknownVideo } from '@tds/contracts';
import type { PlatformTrack, VideoInspection } from '../types.ts';

export const track = (languageCode: string, more: Partial<PlatformTrack> = {}): PlatformTrack => ({
  languageCode,
  kind: 'manual',
  name: languageCode,
  vssId: `.${languageCode}`,
  position: 0,
  isNamed: false,
  isTranslatable: true,
  isDefaultAudio: false,
  isDefault: false,
  ...more,
});

export const asr = (languageCode: string, more: Partial<PlatformTrack> = {}): PlatformTrack =>
  track(languageCode, { kind: 'asr', vssId: `a.${languageCode}`, isDefaultAudio: true, ...more });

export const inspection = (
  tracks: readonly PlatformTrack[],
  translationLanguages: readonly string[] = [],
  more: Partial<VideoInspection> = {},
): VideoInspection => ({
  video: { ...unknownVideo('abcdefghij0'), title: 'A title', duration: 61 },
  tracks,
  spokenLanguage: null,
  translationLanguages,
  translationsComplete: true,
  broadcast: 'none',
  lacksForSeconds: null,
  strategy: 'android',
  exit: 'direct',
  ...more,
});
