import { mix } from './random.ts';

const ROUNDS = 4;
const BLOCK_BYTES = 8;
const CHANNEL_TAG = 0x43484e4c;
const PLAYLIST_BYTES = 24;

type Pair = readonly [left: number, right: number];

/** A reversible scramble of two 32-bit numbers (Feistel), so that ids look random and still tell what they name. */
const scramble = ([left, right]: Pair, seed: number): Pair => {
  let [a, b] = [left, right];
  for (let round = 0; round < ROUNDS; round += 1) [a, b] = [b, (a ^ mix(b ^ mix(seed + round))) >>> 0];
  return [a, b];
};

const unscramble = ([left, right]: Pair, seed: number): Pair => {
  let [a, b] = [left, right];
  for (let round = ROUNDS - 1; round >= 0; round -= 1) [a, b] = [(b ^ mix(a ^ mix(seed + round))) >>> 0, a];
  return [a, b];
};

const bytesOf = (pairs: readonly Pair[]): Buffer => {
  const bytes = Buffer.alloc(pairs.length * BLOCK_BYTES);
  pairs.forEach(([left, right], index) => {
    bytes.writeUInt32BE(left, index * BLOCK_BYTES);
    bytes.writeUInt32BE(right, index * BLOCK_BYTES + 4);
  });
  return bytes;
};

const firstPair = (text: string, seed: number): Pair | undefined => {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length < BLOCK_BYTES) return undefined;
  return unscramble([bytes.readUInt32BE(0), bytes.readUInt32BE(4)], seed);
};

export type VideoPlace = { channelIndex: number; videoIndex: number };

/** The 11-character id of a channel's n-th video; like real ones it may start with `-` or `_`. */
export const videoIdOf = (place: VideoPlace, seed: number): string =>
  bytesOf([scramble([place.channelIndex, place.videoIndex], seed)]).toString('base64url');

/** Where a video id stands; ids that the catalogue never made decode to places far outside of it. */
export const videoPlaceOf = (id: string, seed: number): VideoPlace | undefined => {
  const pair = firstPair(id, seed);
  if (!pair) return undefined;
  const place = { channelIndex: pair[0], videoIndex: pair[1] };
  return videoIdOf(place, seed) === id ? place : undefined;
};

/** `UC` and 22 characters. */
export const channelIdOf = (channelIndex: number, seed: number): string => {
  const block = scramble([CHANNEL_TAG, channelIndex], seed);
  return `UC${bytesOf([block, scramble(block, seed)]).toString('base64url')}`;
};

export const channelIndexOf = (id: string, seed: number): number | undefined => {
  const index = firstPair(id.slice(2), seed)?.[1];
  return index !== undefined && channelIdOf(index, seed) === id ? index : undefined;
};

export type PlaylistPlace = { channelIndex: number; playlistIndex: number };

/** `PL` and 32 characters. */
export const playlistIdOf = (place: PlaylistPlace, seed: number): string => {
  const first = scramble([place.channelIndex, place.playlistIndex], seed + 1);
  const second = scramble(first, seed + 1);
  const bytes = bytesOf([first, second, scramble(second, seed + 1)]);
  return `PL${bytes.subarray(0, PLAYLIST_BYTES).toString('base64url')}`;
};

export const playlistPlaceOf = (id: string, seed: number): PlaylistPlace | undefined => {
  const pair = firstPair(id.slice(2), seed + 1);
  if (!pair) return undefined;
  const place = { channelIndex: pair[0], playlistIndex: pair[1] };
  return playlistIdOf(place, seed) === id ? place : undefined;
};
