import { describe, expect, it } from '@jest/globals';
import { createPace } from './pace.ts';

const start = (requestsPerMinute: number) => {
  let now = 1_000_000;
  const pace = createPace(requestsPerMinute, () => now);
  return {
    pace,
    pass: (ms: number) => {
      now += ms;
    },
  };
};

describe('the pace of an address', () => {
  it('lets ten seconds of requests pass at once, and spreads the others out', () => {
    const { pace } = start(60);
    const waits = Array.from({ length: 13 }, () => pace.reserve());
    expect(waits).toEqual([...Array(10).fill(0), 1_000, 2_000, 3_000]);
  });

  it('never lets more pass in any minute than a minute and a burst', () => {
    const { pace, pass } = start(30);
    let sent = 0;
    for (let second = 0; second < 60; second += 1) {
      while (pace.waitMs() === 0) {
        pace.reserve();
        sent += 1;
      }
      pass(1_000);
    }
    expect(sent).toBeLessThanOrEqual(35);
    expect(sent).toBeGreaterThanOrEqual(30);
  });

  it('recovers while the address rests', () => {
    const { pace, pass } = start(1);
    expect([pace.reserve(), pace.waitMs()]).toEqual([0, 60_000]);
    pass(59_000);
    expect(pace.waitMs()).toBe(1_000);
  });

  it('is none without a limit', () => {
    const { pace } = start(Number.POSITIVE_INFINITY);
    expect(Array.from({ length: 1_000 }, () => pace.reserve())).toEqual(Array(1_000).fill(0));
  });
});
