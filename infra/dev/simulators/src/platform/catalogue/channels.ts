import {
  channelIdOf,
  channelIndexOf,
  type PlaylistPlace,
  playlistIdOf,
  playlistPlaceOf,
  videoIdOf,
} from './ids.ts';
import { createRandom, hashText } from './random.ts';
import { makeTitle } from './words.ts';

export const CHANNEL_COUNT = 100;
const PLAYLISTS_PER_CHANNEL = 4;
const PLAYLIST_STRIDE = 7;

/** The language of each channel's talk, in the platform's spelling; channels take them in turn. */
const channelLanguages = 'en de iw ar ja ko zh-Hans hi th ru el fr es-419 pt-BR no fil zh-TW en-GB tr vi'.split(
  ' ',
);

export type Channel = {
  index: number;
  id: string;
  handle: string;
  title: string;
  languageCode: string;
  videoCount: number;
};

export type Playlist = PlaylistPlace & { id: string; title: string; videoCount: number };

export const channelAt = (index: number, seed: number): Channel | undefined => {
  if (!Number.isInteger(index) || index < 0 || index >= CHANNEL_COUNT) return undefined;
  const random = createRandom(hashText(`channel${index}`, seed));
  const languageCode = channelLanguages[index % channelLanguages.length] ?? 'en';
  return {
    index,
    id: channelIdOf(index, seed),
    handle: `@simulated-${String(index).padStart(2, '0')}`,
    title: makeTitle(languageCode, random),
    languageCode,
    videoCount: random.between(100, 260),
  };
};

export const channelById = (id: string, seed: number): Channel | undefined =>
  channelAt(channelIndexOf(id, seed) ?? -1, seed);

/** The handle that guides use in place of the reader's own. */
const HANDLE_OF_GUIDES = '@handle';

export const channelByHandle = (handle: string, seed: number): Channel | undefined =>
  handle === HANDLE_OF_GUIDES
    ? channelAt(0, seed)
    : channelAt(Number(/^@simulated-(\d\d)$/.exec(handle)?.[1] ?? -1), seed);

/** A channel's video ids, newest first: the order of its uploads list. */
export const uploadsOf = (channel: Channel, seed: number): string[] =>
  Array.from({ length: channel.videoCount }, (_, videoIndex) =>
    videoIdOf({ channelIndex: channel.index, videoIndex }, seed),
  );

const playlistAt = (channel: Channel, playlistIndex: number, seed: number): Playlist => {
  const random = createRandom(hashText(`playlist${channel.index}/${playlistIndex}`, seed));
  return {
    id: playlistIdOf({ channelIndex: channel.index, playlistIndex }, seed),
    channelIndex: channel.index,
    playlistIndex,
    title: makeTitle(channel.languageCode, random),
    videoCount: random.between(5, Math.min(150, channel.videoCount)),
  };
};

export const playlistsOf = (channel: Channel, seed: number): Playlist[] =>
  Array.from({ length: PLAYLISTS_PER_CHANNEL }, (_, index) => playlistAt(channel, index, seed));

export const playlistById = (id: string, seed: number): Playlist | undefined => {
  const place = playlistPlaceOf(id, seed);
  const channel = place && channelAt(place.channelIndex, seed);
  if (!channel || place.playlistIndex >= PLAYLISTS_PER_CHANNEL) return undefined;
  return playlistAt(channel, place.playlistIndex, seed);
};

/** A playlist's video ids: the channel's uploads from a place of its own, in a fixed order without repeats. */
export const playlistVideoIds = (playlist: Playlist, seed: number): string[] => {
  const channel = channelAt(playlist.channelIndex, seed);
  if (!channel) return [];
  const first = playlist.playlistIndex * PLAYLIST_STRIDE;
  return Array.from({ length: playlist.videoCount }, (_, index) => {
    const place = { channelIndex: channel.index, videoIndex: (first + index) % channel.videoCount };
    return videoIdOf(place, seed);
  });
};
