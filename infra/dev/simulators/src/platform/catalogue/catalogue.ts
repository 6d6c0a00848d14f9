import { specialRow } from '../special-videos.ts';
import { channelAt } from './channels.ts';
import { giantVideo } from './giant-channel.ts';
import { ordinaryVideo, plainVideo } from './ordinary-video.ts';
import { createRandom, hashText } from './random.ts';
import type { Track, TrackKind, Video } from './video.ts';

export const LOAD_VIDEO_COUNT = 9_999_999;
const pattern = /^load(\d{7})$/;
const ENGLISH_CHANNEL = 0;

/** `load0000001` to `load9999999`: as many distinct ordinary videos as a load test can want. */
export const loadVideoId = (number: number): string => {
  if (!Number.isInteger(number) || number < 1 || number > LOAD_VIDEO_COUNT) {
    throw new RangeError(`load videos are numbered 1 to ${LOAD_VIDEO_COUNT}`);
  }
  return `load${String(number).padStart(7, '0')}`;
};

/** Each has an English manual and an English recognised track of two to five minutes. */
const loadVideo = (id: string, seed: number): Video | undefined => {
  const channel = channelAt(ENGLISH_CHANNEL, seed);
  if (!channel || Number(pattern.exec(id)?.[1] ?? 0) < 1) return undefined;
  return plainVideo(id, channel, createRandom(hashText(id, seed)));
};

export const DEFAULT_SEED = 1;
const SPECIAL_CHANNEL = 0;

const specialVideo = (id: string, seed: number): Video | undefined => {
  const row = specialRow(id);
  const channel = row && channelAt(SPECIAL_CHANNEL, seed);
  if (!channel) return undefined;
  const plain = plainVideo(id, channel, createRandom(hashText(id)));
  return { ...plain, title: row.title ?? `Special video: ${row.behaviour}`, ...row.video };
};

/** The video of an id: special, of the load range, of the giant channel or of another; computed anew at every call. */
export const findVideo = (id: string, seed: number): Video | undefined =>
  specialVideo(id, seed) ?? loadVideo(id, seed) ?? giantVideo(id, seed) ?? ordinaryVideo(id, seed);

export const findTrack = (
  video: Video,
  languageCode: string,
  kind: TrackKind,
  trackName = '',
): Track | undefined =>
  video.tracks.find(
    (track) => track.languageCode === languageCode && track.kind === kind && track.trackName === trackName,
  );
