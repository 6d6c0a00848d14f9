import { CHANNEL_COUNT, type Channel, channelAt, type Playlist, playlistsOf } from './channels.ts';
import { GIANT_VIDEO_COUNT, giantVideoId } from './giant-channel.ts';
import { videoIdOf } from './ids.ts';
import { createRandom, hashText } from './random.ts';

/** A search for this word finds nothing. */
export const WORD_OF_NOTHING = 'zzznothing';

const listChannels = (seed: number): Channel[] =>
  Array.from({ length: CHANNEL_COUNT }, (_, index) => channelAt(index, seed)).filter(
    (one) => one !== undefined,
  );

const shuffled = <Item>(items: readonly Item[], words: string, seed: number): Item[] =>
  items
    .map((item, index) => ({ item, order: hashText(`${words}/${index}`, seed) }))
    .toSorted((one, other) => one.order - other.order)
    .map(({ item }) => item);

export const findChannels = (words: string, seed: number): Channel[] =>
  shuffled(listChannels(seed), words, seed);

export const findPlaylists = (words: string, seed: number): (Playlist & { owner: string })[] =>
  shuffled(
    listChannels(seed).flatMap((channel) =>
      playlistsOf(channel, seed).map((playlist) => ({ ...playlist, owner: channel.title })),
    ),
    words,
    seed,
  );

const pickVideoId = (channel: Channel, random: ReturnType<typeof createRandom>, seed: number): string =>
  channel.index < 0
    ? giantVideoId(random.below(GIANT_VIDEO_COUNT))
    : videoIdOf({ channelIndex: channel.index, videoIndex: random.below(channel.videoCount) }, seed);

/** The same ids for the same words, in a channel or in all; each once. */
export const findVideoIds = (
  words: string,
  channel: Channel | undefined,
  limit: number,
  seed: number,
): string[] => {
  const random = createRandom(hashText(words.toLowerCase(), seed));
  const channels = channel ? [channel] : listChannels(seed);
  const ids = Array.from({ length: limit }, () => pickVideoId(random.pick(channels), random, seed));
  return [...new Set(ids)];
};
