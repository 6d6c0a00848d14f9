import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLocalReads, RateLog } from './local-limits.ts';

const WINDOW_MS = 60_000;

describe('RateLog', () => {
  it('admits the limit at once, then returns the time of the next permit', () => {
    const log = new RateLog(3, WINDOW_MS);
    expect([0, 10, 20].map((ms) => log.admit(ms))).toEqual([0, 0, 0]);
    expect(log.admit(30)).toBe(59_970);
    expect(log.admit(59_999)).toBe(1);
    expect(log.admit(60_000)).toBe(0);
    expect(log.admit(60_000)).toBe(10);
  });

  it('no minute has more than the limit, and no permit stays unused', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(gaps, fc.integer({ min: 1, max: 10 }), (steps, limit) => {
        const log = new RateLog(limit, WINDOW_MS);
        const admitted: number[] = [];
        let now = 0;
        for (const step of steps) {
          now += step;
          const within = admitted.filter((ms) => ms > now - WINDOW_MS).length;
          const isAdmitted = log.admit(now) === 0;
          expect(isAdmitted).toBe(within < limit);
          if (isAdmitted) admitted.push(now);
        }
      }),
    );
  });
});

it('cache reads without Redis are counted by key and day in the process', () => {
  const reads = createLocalReads();
  const count = (key: string, day: string) => reads.count(key, day, 2);
  expect([count('a', 'monday'), count('a', 'monday'), count('a', 'monday')]).toEqual([true, true, false]);
  reads.release('a', 'monday');
  expect([count('a', 'monday'), count('a', 'monday')]).toEqual([true, false]);
  reads.release('b', 'monday');
  expect([count('b', 'monday'), count('b', 'monday'), count('b', 'monday')]).toEqual([true, true, false]);
  expect([count('a', 'tuesday'), count('a', 'tuesday'), count('a', 'tuesday')]).toEqual([true, true, false]);
});
