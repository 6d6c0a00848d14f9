import { hashText } from '../catalogue/random.ts';
import {
  isRightToLeft,
  languageName,
  pageTranslationCodes,
  shortTranslationCodes,
  speechCode,
  translationCodes,
} from '../catalogue/tracks.ts';
import type { Track, Video } from '../catalogue/video.ts';
import { type CaptionUrlContext, captionUrl } from './caption-url.ts';
import { type ClientName, clientRow } from './clients.ts';

type Text = { runs: { text: string }[] } | { simpleText: string };
type Language = { languageCode: string; languageName: Text };

const textFor = (client: ClientName, text: string): Text =>
  clientRow(client).textShape === 'runs' ? { runs: [{ text }] } : { simpleText: text };

const languagesFor = (codes: readonly string[], client: ClientName): Language[] =>
  codes.map((languageCode) => ({
    languageCode,
    languageName: textFor(client, languageName(languageCode)),
  }));

const wide = languagesFor(translationCodes, 'VISIONOS');
const page = languagesFor(pageTranslationCodes, 'WEB');
const english = languagesFor(['en'], 'ANDROID');
const short = languagesFor(shortTranslationCodes, 'ANDROID');

/** A few pages come without their list, as real ones do. */
const PAGE_LIST_MISSING_IN = 32;

/** How many languages a client offers depends on the client, and for the apps on the source. */
const translationsFor = (video: Video, client: ClientName): readonly Language[] | undefined => {
  if (video.translation === 'unlisted') return undefined;
  const habit = clientRow(client).translations;
  if (habit === 'wide') return wide;
  if (habit === 'page') {
    const missing = video.translation === 'listed' && hashText(video.id) % PAGE_LIST_MISSING_IN === 0;
    return missing ? undefined : page;
  }
  const fromEnglish = video.tracks.some((track) => speechCode(track.languageCode) === 'en');
  return fromEnglish && video.translation !== 'wide-only' ? short : english;
};

const displayName = (track: Track): string => {
  const language = languageName(track.languageCode);
  if (track.kind === 'asr') return `${language} (auto-generated)`;
  return track.trackName === '' ? language : `${language} - ${track.trackName}`;
};

const captionTrack = (video: Video, track: Track, context: CaptionUrlContext) => ({
  baseUrl: captionUrl(video, track, context),
  name: textFor(context.client, displayName(track)),
  vssId: track.vssId,
  languageCode: track.languageCode,
  ...(track.kind === 'asr' ? { kind: 'asr' } : {}),
  ...(isRightToLeft(track.languageCode) ? { rtl: true } : {}),
  isTranslatable: track.translatable,
  trackName: track.trackName,
});

const audioTracks = (video: Video) =>
  video.audioTracks.map((audio) => ({
    captionTrackIndices: audio.captionTrackIndices,
    ...(audio.defaultCaptionTrackIndex === undefined
      ? {}
      : { defaultCaptionTrackIndex: audio.defaultCaptionTrackIndex, hasDefaultTrack: true }),
    ...(audio.audioTrackId === undefined ? {} : { audioTrackId: audio.audioTrackId }),
  }));

/** The `captions` of a player answer, or undefined for a video without any. */
export const captionList = (video: Video, context: CaptionUrlContext) => {
  if (video.tracks.length === 0) return undefined;
  const translationLanguages = translationsFor(video, context.client);
  return {
    playerCaptionsTracklistRenderer: {
      captionTracks: video.tracks.map((track) => captionTrack(video, track, context)),
      audioTracks: audioTracks(video),
      ...(translationLanguages === undefined ? {} : { translationLanguages }),
      defaultAudioTrackIndex: video.defaultAudioTrackIndex,
    },
  };
};
