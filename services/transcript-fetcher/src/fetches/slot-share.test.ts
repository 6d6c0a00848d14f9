import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { SlotShare } from './slot-share.ts';
import type { SlotRequest, SlotsByPriority } from './store/workers.ts';

const ALL: SlotsByPriority = { reads: 8, jobs: 4 };

/** A share beside others that leave `left()` places of reads. */
const shareBeside = (left: () => number, max = ALL) => {
  const asked: SlotRequest[] = [];
  const share = new SlotShare({
    ...{ all: ALL, max },
    acquire: async (taking) => {
      asked.push(taking);
      return { ...taking.target, reads: Math.min(taking.target.reads, left()) };
    },
    isBusy: () => true,
    onAcquired: () => {},
    onError: () => {},
  });
  return { share, asked };
};

describe('the share of a process', () => {
  it('grows with use, up to all places', async () => {
    const { share, asked } = shareBeside(() => 8);
    for (let used = 0; used < ALL.reads; used += 1) {
      expect(await share.requestSlots('reads')).toBeGreaterThan(0);
      share.use('reads', 1);
    }
    expect(await share.requestSlots('reads')).toBe(0);
    expect(asked.map(({ target: wanted }) => wanted.reads)).toEqual([2, 4, 6, 8]);
    await share.stop();
  });

  it('is at most what one process may use, even if more places are free', async () => {
    const { share, asked } = shareBeside(() => 8, { reads: 3, jobs: 3 });
    for (let used = 0; used < 3; used += 1) {
      expect(await share.requestSlots('reads')).toBeGreaterThan(0);
      share.use('reads', 1);
    }
    expect([await share.requestSlots('reads'), share.mayHaveFree('reads')]).toEqual([0, false]);
    expect(asked.map(({ target: wanted, all }) => [wanted.reads, all.reads])).toEqual(
      [1, 2, 3].map((n) => [n, 8]),
    );
    await share.stop();
  });

  it('releases unused places', async () => {
    const { share } = shareBeside(() => 8);
    expect(await share.requestSlots('reads')).toBe(2);
    await share.stop();
  });

  it('requests more places once, not for each read, while others hold the rest', async () => {
    const { share, asked } = shareBeside(() => 1);
    expect(await share.requestSlots('reads')).toBe(1);
    share.use('reads', 1);
    for (let n = 0; n < 5; n += 1) expect(await share.requestSlots('reads')).toBe(0);
    expect([asked.length, share.mayHaveFree('reads')]).toEqual([1, false]);
    await share.stop();
  });

  it('reports the places it uses, even above what is left', async () => {
    let left = 8;
    const { share, asked } = shareBeside(() => left);
    for (let used = 0; used < 4; used += 1) {
      await share.requestSlots('reads');
      share.use('reads', 1);
    }
    left = 2;
    expect(await share.requestSlots('reads')).toBe(0);
    expect(asked.at(-1)).toMatchObject({ current: { reads: 4, jobs: 1 }, target: { reads: 6, jobs: 1 } });
    share.use('reads', -2);
    expect(share.free('reads')).toBe(0);
    share.use('reads', -1);
    expect(share.free('reads')).toBe(1);
    await share.stop();
  });

  it('sends no heartbeat while fetches are taken over, and one of its own to who asks meanwhile', async () => {
    const { share, asked } = shareBeside(() => 8);
    const taken = Promise.withResolvers<void>();
    const takingOver = share.betweenHeartbeats(async () => {
      await taken.promise;
      // They brought their slots with them.
      share.use('reads', 3);
    });
    const found = share.requestSlots('reads');
    await setImmediate();
    expect([asked.length, share.free('reads')]).toEqual([0, 0]);
    taken.resolve();
    await takingOver;
    expect(await found).toBeGreaterThan(0);
    expect(asked).toMatchObject([{ current: { reads: 3, jobs: 0 } }]);
    await share.stop();
  });

  it('is empty after it stops, until it is requested again', async () => {
    const { share, asked } = shareBeside(() => 8);
    await share.requestSlots('reads');
    await share.stop();
    expect([share.free('reads'), share.mayHaveFree('reads')]).toEqual([0, true]);
    await share.requestSlots('reads');
    expect(asked.at(-1)?.current).toEqual({ reads: 0, jobs: 0 });
    await share.stop();
  });

  it('has no free place without an answer', async () => {
    const share = new SlotShare({
      ...{ all: ALL, max: ALL },
      acquire: () => Promise.reject(new Error('away')),
      isBusy: () => true,
      onAcquired: () => {},
      onError: () => {},
    });
    await expect(share.requestSlots('reads')).rejects.toThrow('away');
    expect(share.free('reads')).toBe(0);
    await share.stop();
  });
});
