import { describe, expect, it } from '@jest/globals';
import { settleEach } from './settle-each.ts';

const passing = new Error('deadlock');

const patience = () => {
  const pauses: number[] = [];
  return {
    pauses,
    isPassing: (error: unknown) => error === passing,
    giveUp: () => 'given up',
    pause: async (ms: number) => void pauses.push(ms),
  };
};

/** Fails `times` with a failure that passes, then answers. */
const failing = (times: number) => {
  const calls: (readonly number[])[] = [];
  const call = async (items: readonly number[]) => {
    calls.push(items);
    if (calls.length <= times) throw passing;
    return items.map((item) => item * 10);
  };
  return { calls, call };
};

describe('settleEach', () => {
  it('calls again after a failure that passes, with growing pauses that differ by chance', async () => {
    const { call, calls } = failing(4);
    const given = patience();
    const results = await settleEach(call, [1, 2], given);
    expect(results).toEqual([10, 20].map((value) => ({ status: 'fulfilled', value })));
    expect(calls).toHaveLength(5);
    const bounds = [50, 100, 200, 400];
    given.pauses.forEach((ms, index) => {
      expect(ms).toBeGreaterThanOrEqual(bounds[index]! / 2);
      expect(ms).toBeLessThanOrEqual(bounds[index]!);
    });
  });

  it('gives up after five calls', async () => {
    const { call, calls } = failing(100);
    const results = await settleEach(call, [1, 2], patience());
    expect(results).toEqual([1, 2].map(() => ({ status: 'rejected', reason: 'given up' })));
    expect(calls).toHaveLength(5);
  });

  it('finds the one item that cannot be done and does the others', async () => {
    const bad = new Error('bad');
    const call = async (items: readonly number[]) => {
      if (items.includes(2)) throw bad;
      return items.map((item) => item * 10);
    };
    expect(await settleEach(call, [1, 2, 3], patience())).toEqual([
      { status: 'fulfilled', value: 10 },
      { status: 'rejected', reason: bad },
      { status: 'fulfilled', value: 30 },
    ]);
  });
});
