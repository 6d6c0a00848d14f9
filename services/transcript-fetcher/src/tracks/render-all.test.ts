import { describe, expect, it } from '@jest/globals';
import { mapConcurrently } from './render-all.ts';

/** Work that waits until released, with the number under way. */
const gates = () => {
  const open = new Map<number, () => void>();
  let most = 0;
  return {
    work: async (item: number) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      open.set(item, resolve);
      most = Math.max(most, open.size);
      await promise;
      open.delete(item);
      return item * 10;
    },
    underWay: () => [...open.keys()],
    letGo: async (item: number) => {
      open.get(item)?.();
      await new Promise(setImmediate);
    },
    most: () => most,
  };
};

describe('work with a concurrency limit', () => {
  it('starts the next item when one ends, and returns results in the order of the items', async () => {
    const { work, underWay, letGo, most } = gates();
    const all = mapConcurrently(2, [0, 1, 2, 3], work);
    expect(underWay()).toEqual([0, 1]);
    await letGo(1);
    expect(underWay()).toEqual([0, 2]);
    for (const item of [2, 3, 0]) await letGo(item);
    expect(await all).toEqual([0, 10, 20, 30]);
    expect(most()).toBe(2);
  });

  it('returns nothing for no items, and runs all at once below the limit', async () => {
    expect(await mapConcurrently(8, [], async () => 1)).toEqual([]);
    const { work, underWay, letGo } = gates();
    const all = mapConcurrently(8, [7], work);
    expect(underWay()).toEqual([7]);
    await letGo(7);
    expect(await all).toEqual([70]);
  });

  it('rejects with the first failure', async () => {
    const work = async (item: number) => {
      if (item === 2) throw new Error('the second one');
      return item;
    };
    await expect(mapConcurrently(1, [1, 2, 3], work)).rejects.toThrow('the second one');
  });
});
