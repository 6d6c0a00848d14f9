import { describe, expect, it } from '@jest/globals';
import { findVideo, loadVideoId } from './catalogue.ts';
import {
  CHANNEL_COUNT,
  channelAt,
  channelByHandle,
  channelById,
  playlistById,
  playlistsOf,
  playlistVideoIds,
  uploadsOf,
} from './channels.ts';
import { pageTranslationCodes, shortTranslationCodes, translationCodes } from './tracks.ts';

const SEED = 3;
const channels = Array.from({ length: CHANNEL_COUNT }, (_, index) => channelAt(index, SEED)!);
const uploads = channels.flatMap((channel) => uploadsOf(channel, SEED));
const videos = uploads.map((id) => findVideo(id, SEED)!);

describe('catalogue', () => {
  it('finds every video of every channel by its id alone', () => {
    expect(uploads.length).toBeGreaterThan(4000);
    expect(new Set(uploads).size).toBe(uploads.length);
    expect(videos.every((video, index) => video.id === uploads[index])).toBe(true);
    for (const id of uploads) expect(id).toMatch(/^[A-Za-z0-9_-]{11}$/);
  });

  it('has ids that start with a dash, as real ones do', () => {
    expect(uploads.some((id) => id.startsWith('-'))).toBe(true);
  });

  it('knows nothing under ids that it never made', () => {
    for (const id of ['aaaaaaaaaaa', 'load0000000', 'loadabcdefg', uploads[0]!.toLowerCase()]) {
      expect(findVideo(id, SEED)).toBeUndefined();
    }
    expect(findVideo(uploads[0]!, SEED + 1)).toBeUndefined();
  });

  it('finds channels by id and handle', () => {
    for (const channel of channels) {
      expect(channel.id).toMatch(/^UC[\w-]{22}$/);
      expect(channelById(channel.id, SEED)).toEqual(channel);
      expect(channelByHandle(channel.handle, SEED)).toEqual(channel);
    }
    expect(channelById(`UC${'a'.repeat(22)}`, SEED)).toBeUndefined();
    expect(channelByHandle('@handle', SEED)).toEqual(channels[0]);
    expect(channelByHandle('@unknown-channel', SEED)).toBeUndefined();
  });

  it('finds playlists by id; their videos are distinct uploads of their channel', () => {
    const channel = channels[4]!;
    for (const playlist of playlistsOf(channel, SEED)) {
      const ids = playlistVideoIds(playlist, SEED);
      expect(playlist.id).toMatch(/^PL[\w-]{32}$/);
      expect(playlistById(playlist.id, SEED)).toEqual(playlist);
      expect(new Set(ids).size).toBe(playlist.videoCount);
      expect(uploadsOf(channel, SEED)).toEqual(expect.arrayContaining(ids));
    }
  });

  it.each([
    ['Arabic', /\p{Script=Arabic}/u],
    ['Hebrew', /\p{Script=Hebrew}/u],
    ['Han', /\p{Script=Han}/u],
    ['kana', /\p{Script=Hiragana}/u],
    ['Hangul', /\p{Script=Hangul}/u],
    ['Devanagari', /\p{Script=Devanagari}/u],
    ['Thai', /\p{Script=Thai}/u],
    ['Cyrillic', /\p{Script=Cyrillic}/u],
    ['Greek', /\p{Script=Greek}/u],
    ['emoji', /\p{Extended_Pictographic}/u],
    ['a quote', /"/],
    ['a slash', /\//],
    ['an angle bracket', /</],
    ['an ampersand', /&/],
    ['an arrow', /-->/],
  ])('has titles with %s', (_, sign) => {
    expect(videos.some((video) => sign.test(video.title))).toBe(true);
  });

  it('has uncaptioned, recognised-only, named and dubbed videos, and the platform’s own codes', () => {
    const tracks = videos.flatMap((video) => video.tracks);
    const codes = new Set(tracks.map((track) => track.languageCode));
    expect([...codes]).toEqual(expect.arrayContaining('iw no fil zh-Hans zh-TW es-419 pt-BR en-GB'.split(' ')));
    expect(codes.has('he')).toBe(false);
    expect(videos.some((video) => video.tracks.length === 0)).toBe(true);
    expect(videos.some((video) => video.tracks.every((track) => track.kind === 'asr') && video.tracks[0])).toBe(
      true,
    );
    expect(videos.some((video) => video.audioTracks.length > 1)).toBe(true);
    expect(tracks.some((track) => track.trackName !== '')).toBe(true);
  });

  it('lists newer uploads first', () => {
    const days = uploadsOf(channels[0]!, SEED).map((id) => findVideo(id, SEED)!.publishedAt);
    expect(days).toEqual([...days].sort().reverse());
  });

  it('has the counts of translation languages that clients list', () => {
    expect(new Set(translationCodes).size).toBe(156);
    expect(pageTranslationCodes).toHaveLength(154);
    expect(shortTranslationCodes).toHaveLength(18);
    for (const code of ['he', 'nb', 'yue', 'pt-BR', 'es-419']) expect(translationCodes).not.toContain(code);
  });

  it('numbers load videos from 1 to 9999999 and no further', () => {
    for (const number of [1, 42, 9_999_999]) {
      expect(findVideo(loadVideoId(number), SEED)?.tracks.map((track) => track.vssId)).toEqual(['.en', 'a.en']);
    }
    expect(() => loadVideoId(0)).toThrow(RangeError);
    expect(() => loadVideoId(10_000_000)).toThrow(RangeError);
  });
});
