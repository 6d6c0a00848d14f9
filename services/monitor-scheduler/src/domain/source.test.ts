import { describe, expect, it } from '@jest/globals';
import { afterWholeList, hasOpenGap, nothingToRead, playlistToRead, readPlaylist } from './source.ts';

const CHANNEL = 'UCabcdefghijklmnopqrstuv';
const PLAYLIST = 'PLabcdefghijklmnopqrstuvwxyz012345';

describe('the list of a source', () => {
  it('is the uploads of a channel, and a playlist itself', () => {
    expect(playlistToRead({ kind: 'channel', id: CHANNEL })).toBe('UUabcdefghijklmnopqrstuv');
    expect(playlistToRead({ kind: 'playlist', id: PLAYLIST })).toBe(PLAYLIST);
  });
});

describe('a playlist', () => {
  it.each([
    ['an id', PLAYLIST],
    ['an id in spaces', `  ${PLAYLIST}\n`],
    ['an address', `https://www.youtube.com/playlist?list=${PLAYLIST}`],
    ['an address of the mobile site', `https://m.youtube.com/playlist?list=${PLAYLIST}&si=abc`],
  ])('is read from %s', (_, text) => {
    expect(readPlaylist(text)).toEqual({ kind: 'playlist', id: PLAYLIST });
  });

  it.each([
    ['nothing', ''],
    ['one letter', 'P'],
    ['too many letters', 'P'.repeat(101)],
    ['words', 'my favourite videos'],
    ['the id of a channel', CHANNEL],
    ['the address of a channel', `https://www.youtube.com/channel/${CHANNEL}`],
    ['the address of another site', `https://example.com/playlist?list=${PLAYLIST}`],
  ])('is not read from %s', (_, text) => {
    expect(readPlaylist(text)).toBeNull();
  });
});

describe('the progress of a list', () => {
  it('is at rest with nothing to read, whether or not the list is known', () => {
    for (const knows_list of [true, false])
      expect(nothingToRead(knows_list)).toEqual({
        knows_list,
        list_in: null,
        list_token: null,
        list_pages: 0,
      });
  });

  it.each([
    ['channel', null, false],
    ['channel', 0, true],
    ['channel', 3, true],
    ['playlist', null, false],
    ['playlist', 0, false],
  ] as const)('of a %s with %s checks left has a gap: %s', (kind, list_in, isOpen) => {
    expect(hasOpenGap({ kind, list_in })).toBe(isOpen);
  });

  it('of a playlist of one page is due at every check, of a longer one after as many checks as it has pages', () => {
    const checksBetween = [0, 1, 2, 50].map((pages) => (afterWholeList(pages).list_in ?? Number.NaN) + 1);
    expect(checksBetween).toEqual([1, 1, 2, 50]);
  });

  it('of a playlist that was read whole starts over, and knows the list', () => {
    expect(afterWholeList(4)).toMatchObject({ knows_list: true, list_token: null, list_pages: 4 });
  });
});
