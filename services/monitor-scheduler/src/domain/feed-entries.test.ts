import { describe, expect, it } from '@jest/globals';
import {
  classifyEntries,
  FEED_SIZE,
  findNewInPlaylist,
  isFull,
  type ListedVideo,
  mergeVideos,
  numberVideos,
  type Release,
} from './feed-entries.ts';

const ids = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `v${from - index}` }));
const knowing = (...given: { id: string }[][]) => new Set(given.flat().map(({ id }) => id));
const classify = (entries: { id: string }[], known: ReadonlySet<string>, knowsList = false) => {
  const { newVideos, movedUp, hasGap } = classifyEntries(entries, known, knowsList);
  return { newVideos: newVideos.map(({ id }) => id), movedUp: movedUp.map(({ id }) => id), hasGap };
};

describe('new videos in a feed', () => {
  it('are above a known video', () => {
    expect(classify(ids(22, FEED_SIZE), knowing(ids(20, FEED_SIZE)))).toEqual({
      newVideos: ['v22', 'v21'],
      movedUp: [],
      hasGap: false,
    });
  });

  it('do not include an older video that moves up because another was deleted', () => {
    const [, , ...left] = ids(20, FEED_SIZE);
    expect(classify([...left, ...ids(5, 2)], knowing(ids(20, FEED_SIZE)))).toEqual({
      newVideos: [],
      movedUp: ['v5', 'v4'],
      hasGap: false,
    });
  });

  it('are all unknown videos if the whole list is known', () => {
    expect(classify([{ id: 'a' }, { id: 'b' }, { id: 'c' }], new Set(['b']), true)).toEqual({
      newVideos: ['a', 'c'],
      movedUp: [],
      hasGap: false,
    });
  });

  it('may be more than the feed shows if it shows no known video', () => {
    expect(classify(ids(60, FEED_SIZE), knowing(ids(20, FEED_SIZE)))).toMatchObject({
      movedUp: [],
      hasGap: true,
    });
    expect(classify(ids(60, 3), knowing(ids(20, 4)), true)).toMatchObject({ movedUp: [], hasGap: false });
  });
});

describe('new videos in a playlist', () => {
  it('are those above the known ones in order, then those below from the last up', () => {
    const shown = [{ id: 'b' }, { id: 'a' }, { id: 'known' }, { id: 'c' }, { id: 'known too' }, { id: 'd' }];
    const found = findNewInPlaylist(shown, new Set(['known', 'known too'])).map(({ id }) => id);
    expect(found).toEqual(['b', 'a', 'd', 'c']);
  });

  it('are all videos if none is known', () => {
    expect(findNewInPlaylist(ids(3, 3), new Set())).toEqual(ids(3, 3));
  });

  it('include a video once that occurs twice, or in feed and list', () => {
    expect(mergeVideos([{ id: 'a' }], [{ id: 'b' }, { id: 'a' }, { id: 'b' }])).toEqual([
      { id: 'a' },
      { id: 'b' },
    ]);
  });
});

describe('a feed', () => {
  it('may hide videos from the fifteenth entry on', () => {
    expect([0, 14, 15, 16].map((count) => isFull(ids(count, count)))).toEqual([false, false, true, true]);
  });

  it('that is empty has no new videos and no gap', () => {
    expect(classify([], new Set(['v1']))).toEqual({ newVideos: [], movedUp: [], hasGap: false });
  });

  it('with known videos only has no new videos', () => {
    expect(classify(ids(5, 5), knowing(ids(5, 5)))).toEqual({ newVideos: [], movedUp: [], hasGap: false });
  });

  it('counts a video between two known ones as new', () => {
    const shown = [{ id: 'known' }, { id: 'between' }, { id: 'known too' }];
    expect(classify(shown, new Set(['known', 'known too']))).toMatchObject({
      newVideos: ['between'],
      movedUp: [],
    });
  });

  it('keeps the order of its entries', () => {
    expect(classify(ids(9, 4), knowing(ids(6, 1))).newVideos).toEqual(['v9', 'v8', 'v7']);
  });
});

describe('numbers of videos', () => {
  const ASK_MS = 900_000;
  const video = (id: string): ListedVideo => ({ id, title: null, publishedAt: null });
  const number = (
    found: {
      newVideos?: string[];
      oldVideos?: string[];
      upcoming?: string[];
      releases?: Record<string, Release>;
    },
    lastNumber = 7,
  ) => {
    const { newVideos = [], oldVideos = [], upcoming = [], releases = {} } = found;
    const given = { newVideos: newVideos.map(video), oldVideos: oldVideos.map(video), upcoming };
    const numbered = numberVideos(
      { ...given, releases: new Map(Object.entries(releases)) },
      lastNumber,
      ASK_MS,
    );
    const short = (rows: readonly { id: string; number: number | null; askInMs: number | null }[]) =>
      rows.map(({ id, number: own, askInMs }) => [id, own, askInMs]);
    return { ...numbered, released: short(numbered.released), added: short(numbered.added) };
  };

  it('go on without gaps, the oldest video first', () => {
    expect(number({ newVideos: ['newest', 'middle', 'oldest'] })).toEqual({
      released: [],
      added: [
        ['oldest', 8, null],
        ['middle', 9, null],
        ['newest', 10, null],
      ],
      lastNumber: 10,
    });
  });

  it('are not given to old videos', () => {
    expect(number({ oldVideos: ['a', 'b'] })).toMatchObject({
      added: [
        ['a', null, null],
        ['b', null, null],
      ],
      lastNumber: 7,
    });
  });

  it('are not given to a new video that is not out: it is looked up again', () => {
    expect(number({ newVideos: ['b', 'a'], releases: { a: 'upcoming', b: 'out' } })).toMatchObject({
      added: [
        ['a', null, ASK_MS],
        ['b', 8, null],
      ],
      lastNumber: 8,
    });
  });

  it('are not given to a private one or one for members until it is public', () => {
    expect(number({ newVideos: ['a'], releases: { a: 'hidden' } }).added).toEqual([['a', null, ASK_MS]]);
    const again = { upcoming: [video('a').id], newVideos: [], oldVideos: [] };
    const released = (release: Release) =>
      numberVideos({ ...again, releases: new Map([['a', release]]) }, 7, ASK_MS).released;
    expect(released('hidden')).toEqual([{ id: 'a', number: null, askInMs: ASK_MS, isHidden: true }]);
    expect(released('out')).toEqual([{ id: 'a', number: 8, askInMs: null, isHidden: false }]);
  });

  it('are given to a new video whose lookup failed or was left out', () => {
    const { added } = number({ newVideos: ['b', 'a'], releases: { a: 'unknown' } });
    expect(added).toEqual([
      ['a', 8, null],
      ['b', 9, null],
    ]);
  });

  it('are given to an upcoming video only when it is out', () => {
    const releases = { a: 'out', b: 'upcoming', c: 'unknown' } as const;
    expect(number({ upcoming: ['a', 'b', 'c', 'd'], releases })).toEqual({
      released: [
        ['a', 8, null],
        ['b', null, ASK_MS],
        ['c', null, ASK_MS],
        ['d', null, ASK_MS],
      ],
      added: [],
      lastNumber: 8,
    });
  });

  it('of a video that comes out now follow earlier ones, and precede new videos', () => {
    expect(number({ upcoming: ['premiere'], newVideos: ['new'], releases: { premiere: 'out' } })).toMatchObject(
      {
        released: [['premiere', 8, null]],
        added: [['new', 9, null]],
        lastNumber: 9,
      },
    );
  });

  it('stay unchanged if nothing is found', () => {
    expect(number({})).toEqual({ released: [], added: [], lastNumber: 7 });
  });
});
