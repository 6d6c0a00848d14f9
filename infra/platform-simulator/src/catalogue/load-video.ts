import { channelAt } from './channels.ts';
import { plainVideo } from './ordinary-video.ts';
import { createRandom, hashText } from './random.ts';
import type { Video } from './video.ts';

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
export const loadVideo = (id: string, seed: number): Video | undefined => {
  const channel = channelAt(ENGLISH_CHANNEL, seed);
  if (!channel || Number(pattern.exec(id)?.[1] ?? 0) < 1) return undefined;
  return plainVideo(id, channel, createRandom(hashText(id, seed)));
};
