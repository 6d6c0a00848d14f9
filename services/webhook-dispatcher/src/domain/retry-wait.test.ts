import { describe, expect, it } from '@jest/globals';
import { retryWaitMs } from './retry-wait.ts';

const MINUTE_MS = 60_000;

describe('the wait after a failed attempt', () => {
  it.each([
    [1, 1, 1.1],
    [2, 10, 11],
    [3, 120, 132],
    [4, 660, 720],
  ])(
    'number %i is from %d to %d minutes, never below a minute nor above twelve hours',
    (attempt, least, most) => {
      expect(retryWaitMs(attempt, 0)).toBe(Math.round(least * MINUTE_MS));
      expect(retryWaitMs(attempt, 1)).toBe(Math.round(most * MINUTE_MS));
      expect(retryWaitMs(attempt, 0.5)).toBeGreaterThan(least * MINUTE_MS);
    },
  );

  it('is 0 after the fifth, which is the last', () => {
    expect(retryWaitMs(5, 1)).toBe(0);
  });
});
