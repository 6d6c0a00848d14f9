import { type Channel, channelByHandle, channelById } from './channels.ts';
import { plainVideo } from './ordinary-video.ts';
import { createRandom, hashText } from './random.ts';
import { isShortPlace, type Video } from './video.ts';

/** The most videos that the platform shows of a list of uploads. */
export const GIANT_VIDEO_COUNT = 20_000;
const NEWEST_UPLOAD_MS = Date.UTC(2026, 9, 31);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DIGITS = 6;
const pattern = /^giant(\d{6})$/;

/** The same under every seed. */
export const giantChannel: Channel = {
  index: -1,
  id: 'UCsimulatedGiant00000000',
  handle: '@simulated-giant',
  title: 'Giant',
  languageCode: 'en',
  videoCount: GIANT_VIDEO_COUNT,
};

export const giantVideoId = (index: number): string => `giant${String(index).padStart(DIGITS, '0')}`;

/** The video of `giant000000` to `giant019999`. */
export const giantVideo = (id: string, seed: number): Video | undefined => {
  const index = Number(pattern.exec(id)?.[1] ?? Number.NaN);
  if (!(index < GIANT_VIDEO_COUNT)) return undefined;
  const day = Math.floor((NEWEST_UPLOAD_MS - index * HOUR_MS) / DAY_MS) * DAY_MS;
  const publishedAt = new Date(day).toISOString();
  const plain = plainVideo(id, giantChannel, createRandom(hashText(id, seed)));
  return { ...plain, publishedAt, isShort: isShortPlace(index) };
};

export const findChannel = (id: string, seed: number): Channel | undefined =>
  id === giantChannel.id ? giantChannel : channelById(id, seed);

export const findChannelByHandle = (handle: string, seed: number): Channel | undefined =>
  handle === giantChannel.handle ? giantChannel : channelByHandle(handle, seed);
