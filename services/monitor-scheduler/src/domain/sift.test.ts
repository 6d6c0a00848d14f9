import { describe, expect, it } from '@jest/globals';
import { FEED_SIZE, newInPlaylist, siftFeed, together } from './sift.ts';

const ids = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `v${from - index}` }));
const knowing = (...given: { id: string }[][]) => new Set(given.flat().map(({ id }) => id));
const sift = (entries: { id: string }[], known: ReadonlySet<string>, knowsList = false) => {
  const { fresh, movedUp, hasGap } = siftFeed(entries, known, knowsList);
  return { fresh: fresh.map(({ id }) => id), movedUp: movedUp.map(({ id }) => id), hasGap };
};

describe('what is new in a feed', () => {
  it('is what stands before something that is known', () => {
    expect(sift(ids(22, FEED_SIZE), knowing(ids(20, FEED_SIZE)))).toEqual({
      ...{ fresh: ['v22', 'v21'], movedUp: [], hasGap: false },
    });
  });

  it('is nothing where a deleted video lets an older one move up', () => {
    const [, , ...left] = ids(20, FEED_SIZE);
    expect(sift([...left, ...ids(5, 2)], knowing(ids(20, FEED_SIZE)))).toEqual({
      ...{ fresh: [], movedUp: ['v5', 'v4'], hasGap: false },
    });
  });

  it('is all that was never seen, where all that there was is known', () => {
    expect(sift([{ id: 'a' }, { id: 'b' }, { id: 'c' }], new Set(['b']), true)).toEqual({
      ...{ fresh: ['a', 'c'], movedUp: [], hasGap: false },
    });
  });

  it('may be more than it shows where nothing in it is known', () => {
    expect(sift(ids(60, FEED_SIZE), knowing(ids(20, FEED_SIZE)))).toMatchObject({
      movedUp: [],
      hasGap: true,
    });
    expect(sift(ids(60, 3), knowing(ids(20, 4)), true)).toMatchObject({ movedUp: [], hasGap: false });
  });
});

describe('what is new in a playlist', () => {
  it('is above what is known the newest first, and below it the last first', () => {
    const shown = [{ id: 'b' }, { id: 'a' }, { id: 'known' }, { id: 'c' }, { id: 'known too' }, { id: 'd' }];
    const found = newInPlaylist(shown, new Set(['known', 'known too'])).map(({ id }) => id);
    expect(found).toEqual(['b', 'a', 'd', 'c']);
  });

  it('is all of it where nothing is known', () => {
    expect(newInPlaylist(ids(3, 3), new Set())).toEqual(ids(3, 3));
  });

  it('counts a video once that it holds twice, or that its feed and its list show', () => {
    expect(together([{ id: 'a' }], [{ id: 'b' }, { id: 'a' }, { id: 'b' }])).toEqual([
      { id: 'a' },
      { id: 'b' },
    ]);
  });
});
