import type { CaptionTrack } from '@tds/contracts';
import type { PlatformTrack } from '@tds/video-platform';

export const publicTracks = (tracks: readonly PlatformTrack[]): CaptionTrack[] =>
  tracks.map(({ languageCode, kind, name }) => ({ language_code: languageCode, kind, name }));

/** Each language once, in the platform's order. */
export const languagesOf = (tracks: readonly PlatformTrack[]): string[] => [
  ...new Set(tracks.map(({ languageCode }) => languageCode)),
];
