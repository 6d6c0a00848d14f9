import { type Channel, channelAt } from './channels.ts';
import { videoPlaceOf } from './ids.ts';
import { createRandom, hashText, type Random } from './random.ts';
import { dubbedAudio, manualTrack, singleAudio, speechTrack } from './tracks.ts';
import { isShortPlace, type Track, type Video } from './video.ts';
import { createSpeech, makeTitle, wordGlue } from './words.ts';

const NEWEST_UPLOAD_MS = Date.UTC(2026, 9, 31);
const DAY_MS = 86_400_000;
const NO_CAPTIONS_PERCENT = 5;
const DUBBED_PERCENT = 6;

const extraLanguages = (
  'en en-GB de fr es-419 es-ES pt-BR pt-PT iw no fil zh-Hans zh-Hant zh-TW ja ko ar hi ru it ' + 'nl pl uk id'
).split(' ');
const dubLanguages = ['en', 'es', 'hi', 'fr', 'pt', 'ja'] as const;

const firstOfEach = (tracks: readonly Track[]): Track[] => [
  ...new Map(tracks.map((track) => [track.vssId, track])).values(),
];

const dubbedTracks = (languageCode: string): Track[] =>
  firstOfEach([speechTrack(languageCode), ...dubLanguages.map((code) => speechTrack(code))]);

const usualTracks = (languageCode: string, random: Random): Track[] => {
  const tracks: Track[] = [];
  if (random.percent(60)) tracks.push(manualTrack(languageCode));
  if (random.percent(30)) {
    for (let extra = random.between(1, 5); extra > 0; extra -= 1) {
      tracks.push(manualTrack(random.pick(extraLanguages)));
    }
  }
  if (random.percent(8)) tracks.push(manualTrack(languageCode, 'Commentary'));
  if (tracks.length === 0 || random.percent(85)) tracks.push(speechTrack(languageCode));
  return firstOfEach(tracks);
};

const makeCaptions = (languageCode: string, random: Random): Pick<Video, 'tracks' | 'audioTracks'> => {
  if (random.percent(NO_CAPTIONS_PERCENT)) return { tracks: [], audioTracks: [] };
  const dubbed = random.percent(DUBBED_PERCENT);
  const tracks = dubbed ? dubbedTracks(languageCode) : usualTracks(languageCode, random);
  return { tracks, audioTracks: dubbed ? dubbedAudio(tracks) : singleAudio(tracks) };
};

/** A video with nothing unusual about it; callers put what differs on top. */
export const plainVideo = (id: string, channel: Channel, random: Random): Video => {
  const tracks = [manualTrack('en'), speechTrack('en')];
  return {
    id,
    title: makeTitle(channel.languageCode, random),
    description: createSpeech(channel.languageCode, random).next(12).join(wordGlue(channel.languageCode)),
    lengthSeconds: random.between(120, 300),
    channel,
    publishedAt: new Date(NEWEST_UPLOAD_MS - random.below(2000) * DAY_MS).toISOString(),
    isShort: false,
    viewCount: random.below(5_000_000),
    tracks,
    audioTracks: singleAudio(tracks),
    defaultAudioTrackIndex: 0,
    translation: 'listed',
    playability: {},
    exp: {},
    cueStyle: 'plain',
  };
};

/** The catalogue's video of that id, if its id names a place in a channel. */
export const ordinaryVideo = (id: string, seed: number): Video | undefined => {
  const place = videoPlaceOf(id, seed);
  const channel = place && channelAt(place.channelIndex, seed);
  if (!channel || place.videoIndex >= channel.videoCount) return undefined;
  const random = createRandom(hashText(id, seed));
  return {
    ...plainVideo(id, channel, random),
    lengthSeconds: random.between(90, 1500),
    publishedAt: new Date(NEWEST_UPLOAD_MS - place.videoIndex * 3 * DAY_MS).toISOString(),
    isShort: isShortPlace(place.videoIndex),
    exp: random.percent(15) ? { '*': 'xftt,xctw' } : {},
    ...makeCaptions(channel.languageCode, random),
  };
};
