import { speechCode } from './languages.ts';
import { hashText } from './random.ts';
import type { AudioTrack, Track } from './video.ts';

/** The platform marks named tracks by an opaque suffix; it may hold dashes, so a vssId must not be split. */
const nameMark = (languageCode: string, trackName: string): string =>
  Buffer.from(`${hashText(`${languageCode}${trackName}`)}`.padStart(10, '0').slice(-8)).toString('base64url');

export const manualTrack = (languageCode: string, trackName = ''): Track => ({
  languageCode,
  kind: 'manual',
  trackName,
  vssId: trackName === '' ? `.${languageCode}` : `.${languageCode}.${nameMark(languageCode, trackName)}`,
  translatable: true,
});

export const speechTrack = (languageCode: string): Track => ({
  languageCode: speechCode(languageCode),
  kind: 'asr',
  trackName: '',
  vssId: `a.${speechCode(languageCode)}`,
  translatable: true,
});

/** One spoken track over all captions; its default is a manual track, in the spoken language if that is known. */
export const singleAudio = (tracks: readonly Track[]): AudioTrack[] => {
  if (tracks.length === 0) return [];
  const spoken = tracks.find((track) => track.kind === 'asr')?.languageCode;
  const isManual = ({ kind }: Track) => kind === 'manual';
  const written = tracks.findIndex((track) => isManual(track) && speechCode(track.languageCode) === spoken);
  const manual = written < 0 ? tracks.findIndex(isManual) : written;
  return [
    {
      captionTrackIndices: tracks.map((_, index) => index),
      ...(manual < 0 ? {} : { defaultCaptionTrackIndex: manual }),
    },
  ];
};

/** One spoken track per language: each has the manual captions and its own recognised speech. */
export const dubbedAudio = (tracks: readonly Track[]): AudioTrack[] => {
  const manual = tracks.flatMap((track, index) => (track.kind === 'manual' ? [index] : []));
  return tracks.flatMap((track, index) =>
    track.kind === 'asr'
      ? [
          {
            audioTrackId: `${track.languageCode}.${index === 0 ? 4 : 3}`,
            captionTrackIndices: [...manual, index],
            defaultCaptionTrackIndex: index,
          },
        ]
      : [],
  );
};
