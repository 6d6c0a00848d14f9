import { type Channel, channelById, playlistById, playlistVideoIds } from './channels.ts';
import { giantChannel, giantVideoId } from './giant-channel.ts';
import { videoIdOf } from './ids.ts';
import { loadVideoId } from './load-video.ts';

/** What a playlist id names: so many places, some of which hold a video that is private by now. */
export type VideoList = {
  readonly id: string;
  readonly length: number;
  videoIdAt(place: number): string;
  isUnavailable(place: number): boolean;
  /** The page says beside good videos that others are hidden. */
  readonly hasNotice: boolean;
};

const never = () => false;

/** Every sixth upload is a Short. */
const SHORTS_EVERY = 6;
const isShortPlace = (place: number): boolean => place % SHORTS_EVERY === SHORTS_EVERY - 1;

/** The places of a channel's uploads that a list of its own holds, by the list's prefix. */
const placesByPrefix: Readonly<Record<string, (count: number) => readonly number[]>> = {
  UULF: (count) => placesBelow(count).filter((place) => !isShortPlace(place)),
  UUSH: (count) => placesBelow(count).filter(isShortPlace),
  UU: (count) => placesBelow(count),
};
const placesBelow = (count: number): number[] => Array.from({ length: count }, (_, place) => place);

export const channelOf = (id: string, seed: number): Channel | undefined =>
  id === giantChannel.id ? giantChannel : channelById(id, seed);

const uploadIdAt = (channel: Channel, place: number, seed: number): string =>
  channel === giantChannel
    ? giantVideoId(place)
    : videoIdOf({ channelIndex: channel.index, videoIndex: place }, seed);

const LIST_OF_UPLOADS = /^(UULF|UUSH|UU)([\w-]{22})$/;

const uploadsList = (id: string, seed: number): VideoList | undefined => {
  const [, prefix = '', suffix = ''] = LIST_OF_UPLOADS.exec(id) ?? [];
  const channel = channelOf(`UC${suffix}`, seed);
  const places = channel && placesByPrefix[prefix]?.(channel.videoCount);
  if (!channel || !places?.length) return undefined;
  const videoIdAt = (place: number) => uploadIdAt(channel, places[place] ?? 0, seed);
  return { id, length: places.length, videoIdAt, isUnavailable: never, hasNotice: false };
};

const playlist = (id: string, seed: number): VideoList | undefined => {
  const found = playlistById(id, seed);
  if (!found) return undefined;
  const ids = playlistVideoIds(found, seed);
  return {
    id,
    length: ids.length,
    videoIdAt: (place) => ids[place] ?? '',
    isUnavailable: never,
    hasNotice: false,
  };
};

const MIXED_LENGTH = 400;
const single: readonly number[] = [10, 160];
/** A whole page of the web client, and four of the Data API. */
const isHole = (place: number): boolean => place >= 200 && place < 300;

/** The same under every seed: pages of 99, 99, 0 and 100 videos; of 49, 50, 50, 49, 0, 0, 50 and 50 for the Data API. */
export const MIXED_PLAYLIST_ID = 'PLsimulatedMixedPages0000000000000';

const mixedList: VideoList = {
  id: MIXED_PLAYLIST_ID,
  length: MIXED_LENGTH,
  videoIdAt: (place) => loadVideoId(place + 1),
  isUnavailable: (place) => single.includes(place) || isHole(place),
  hasNotice: true,
};

/** A playlist or a channel's list of uploads (`UU`, without Shorts `UULF`, Shorts only `UUSH`). */
export const findList = (id: string, seed: number): VideoList | undefined =>
  id === MIXED_PLAYLIST_ID ? mixedList : (uploadsList(id, seed) ?? playlist(id, seed));
