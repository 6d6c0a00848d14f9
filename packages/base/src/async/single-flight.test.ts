import { describe, expect, it } from '@jest/globals';
import { createSingleFlight } from './single-flight.ts';

describe('a single flight', () => {
  it('is shared by all callers of a key until it ends', async () => {
    const flight = createSingleFlight<number>();
    let calls = 0;
    const work = async () => {
      calls += 1;
      return calls;
    };
    expect(await Promise.all([flight('a', work), flight('a', work), flight('b', work)])).toEqual([1, 1, 2]);
    expect(await flight('a', work)).toBe(3);
  });

  it('rejects all its callers, and keeps no error', async () => {
    const flight = createSingleFlight<string>();
    const failing = () => Promise.reject(new Error('no luck'));
    const outcomes = await Promise.allSettled([flight('a', failing), flight('a', failing)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await flight('a', async () => 'luck')).toBe('luck');
  });
});
