import { describe, expect, it } from '@jest/globals';
import { purgeEach, purgeInBatches } from './purge.ts';

/** A table of `count` old rows, and how many each statement deleted. */
const table = (old: number, onBatch = () => {}) => {
  const batches: number[] = [];
  let left = old;
  return {
    batches,
    deleteSome: async (limit: number) => {
      const deleted = Math.min(limit, left);
      left -= deleted;
      batches.push(deleted);
      onBatch();
      return deleted;
    },
  };
};

describe('purging in batches', () => {
  const signal = new AbortController().signal;

  it('deletes all that is old, never more than a batch at a time', async () => {
    const { batches, deleteSome } = table(2_500);
    expect(await purgeInBatches(deleteSome, { signal })).toBe(2_500);
    expect(batches).toEqual([1_000, 1_000, 500]);
  });

  it('keeps what it deleted when its time is over, and leaves the rest to the next run', async () => {
    const { batches, deleteSome } = table(50);
    expect(await purgeInBatches(deleteSome, { signal, batch: 10, maxMs: 0 })).toBe(0);
    expect(await purgeInBatches(deleteSome, { signal, batch: 10 })).toBe(50);
    expect(batches).toHaveLength(6);
  });

  it('ends after the batch in hand when the process ends', async () => {
    const ending = new AbortController();
    const { batches, deleteSome } = table(50, () => ending.abort());
    expect(await purgeInBatches(deleteSome, { signal: ending.signal, batch: 10 })).toBe(10);
    expect(batches).toEqual([10]);
  });

  it('of several tables goes on behind one that fails, and says which one', async () => {
    const last = table(20);
    const first = () => Promise.reject(new Error('statement timeout'));
    await expect(purgeEach({ first, last: last.deleteSome }, { signal })).rejects.toThrow(
      'could not purge first',
    );
    expect(last.batches).toEqual([20]);
  });

  it('of several tables answers for each, and begins none when the process ends', async () => {
    const ending = new AbortController();
    const [first, second] = [table(20), table(20, () => ending.abort())];
    const third = table(20);
    const purges = { first: first.deleteSome, second: second.deleteSome, third: third.deleteSome };
    const options = { signal: ending.signal, batch: 10 };
    expect(await purgeEach(purges, options)).toEqual({ first: 20, second: 10, third: 0 });
    expect(third.batches).toEqual([]);
  });
});
