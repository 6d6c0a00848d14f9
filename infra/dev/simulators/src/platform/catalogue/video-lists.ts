import { loadVideoId } from './catalogue.ts';
import { type Channel, channelAt, playlistById, playlistVideoIds } from './channels.ts';
import { findChannel, giantChannel, giantVideoId } from './giant-channel.ts';
import { videoIdOf } from './ids.ts';
import type { AddedIds } from './uploads.ts';
import { isShortPlace } from './video.ts';

/** A list of videos by its playlist id. Some of its places may hold a video that is private by now. */
export type VideoList = {
  readonly id: string;
  readonly title: string;
  readonly channel: Channel;
  readonly length: number;
  videoIdAt(place: number): string;
  isUnavailable(place: number): boolean;
  /** The page says beside good videos that others are hidden. */
  readonly hasNotice: boolean;
};

const never = () => false;

/** The places of a channel's uploads that a list of its own holds, by the list's prefix. */
const placesByPrefix: Readonly<Record<string, (count: number) => readonly number[]>> = {
  UULF: (count) => placesBelow(count).filter((place) => !isShortPlace(place)),
  UUSH: (count) => placesBelow(count).filter(isShortPlace),
  UU: (count) => placesBelow(count),
};
const placesBelow = (count: number): number[] => Array.from({ length: count }, (_, place) => place);

const uploadIdAt = (channel: Channel, place: number, seed: number): string =>
  channel === giantChannel
    ? giantVideoId(place)
    : videoIdOf({ channelIndex: channel.index, videoIndex: place }, seed);

const LIST_OF_UPLOADS = /^(UULF|UUSH|UU)([\w-]{22})$/;

const uploadsList = (id: string, seed: number): VideoList | undefined => {
  const [, prefix = '', suffix = ''] = LIST_OF_UPLOADS.exec(id) ?? [];
  const channel = findChannel(`UC${suffix}`, seed);
  const places = channel && placesByPrefix[prefix]?.(channel.videoCount);
  if (!channel || !places) return undefined;
  const videoIdAt = (place: number) => uploadIdAt(channel, places[place] ?? 0, seed);
  return {
    ...{ id, title: `Uploads from ${channel.title}`, channel },
    ...{ length: places.length, videoIdAt, isUnavailable: never, hasNotice: false },
  };
};

const playlist = (id: string, seed: number): VideoList | undefined => {
  const match = playlistById(id, seed);
  const channel = match && channelAt(match.channelIndex, seed);
  if (!match || !channel) return undefined;
  const ids = playlistVideoIds(match, seed);
  return {
    ...{ id, title: match.title, channel },
    length: ids.length,
    videoIdAt: (place) => ids[place] ?? '',
    isUnavailable: never,
    hasNotice: false,
  };
};

const MIXED_OWNER = 0;
const MIXED_LENGTH = 400;
const single: readonly number[] = [10, 160];
/** A whole page of the web client, and four of the Data API. */
const isHole = (place: number): boolean => place >= 200 && place < 300;

/** The same under every seed: pages of 99, 99, 0 and 100 videos; of 49, 50, 50, 49, 0, 0, 50 and 50 for the Data API. */
export const MIXED_PLAYLIST_ID = 'PLsimulatedMixedPages0000000000000';

const mixedList = (channel: Channel): VideoList => ({
  ...{ id: MIXED_PLAYLIST_ID, title: 'Mixed pages', channel },
  length: MIXED_LENGTH,
  videoIdAt: (place) => loadVideoId(place + 1),
  isUnavailable: (place) => single.includes(place) || isHole(place),
  hasNotice: true,
});

/** A list with what was added to it, where a page that is asked for later shows it. */
const withAdded = ({ top, end }: AddedIds, list: VideoList): VideoList => ({
  ...list,
  length: top.length + list.length + end.length,
  videoIdAt: (place) =>
    top[place] ?? end[place - top.length - list.length] ?? list.videoIdAt(place - top.length),
  isUnavailable: (place) =>
    place >= top.length && place < top.length + list.length && list.isUnavailable(place - top.length),
});

/**
 * A playlist or a channel's list of uploads: `UU` all, `UULF` without Shorts, `UUSH` Shorts only. `added` is
 * the uploads since the start. As on the platform an empty list is not found.
 */
export const findList = (
  id: string,
  seed: number,
  added: AddedIds = { top: [], end: [] },
): VideoList | undefined => {
  const mixedOwner = id === MIXED_PLAYLIST_ID && channelAt(MIXED_OWNER, seed);
  const list = mixedOwner ? mixedList(mixedOwner) : (uploadsList(id, seed) ?? playlist(id, seed));
  const combined = list && withAdded(added, list);
  return combined && combined.length > 0 ? combined : undefined;
};
