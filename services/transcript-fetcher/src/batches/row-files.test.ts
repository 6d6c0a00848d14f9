import { describe, expect, it } from '@jest/globals';
import { renderInTurn } from './row-files.ts';

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

describe('renderings', () => {
  it('begin eight at a time, the next when one ends, and keep the order of the items', async () => {
    const { work, underWay, letGo, most } = gates();
    const items = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
    const all = renderInTurn(items, work);
    expect(underWay()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    await letGo(1);
    expect(underWay()).toEqual([0, 2, 3, 4, 5, 6, 7, 8]);
    for (const item of [2, 3, 0, 9, 8, 7, 6, 5, 4]) await letGo(item);
    expect(await all).toEqual(items.map((item) => item * 10));
    expect(most()).toBe(8);
  });

  it('of nothing are nothing', async () => {
    expect(await renderInTurn([], async () => 1)).toEqual([]);
  });

  it('reject with the first failure', async () => {
    const work = async (item: number) => {
      if (item === 2) throw new Error('the second one');
      return item;
    };
    await expect(renderInTurn([1, 2, 3], work)).rejects.toThrow('the second one');
  });
});
