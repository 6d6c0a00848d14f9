import { describe, expect, it } from '@jest/globals';
import { readingTime, subtitleTime } from './timestamps.ts';

describe('timestamps', () => {
  it.each([
    [0, '00:00'],
    [59, '00:59'],
    [3599, '59:59'],
    [3600, '1:00:00'],
    [360_061, '100:01:01'],
  ])('%d seconds read as %s', (seconds, expected) => {
    expect(readingTime(seconds)).toBe(expected);
  });

  it.each([
    [0, '00:00:00,000'],
    [2000, '00:00:02,000'],
    [3_599_999, '00:59:59,999'],
    [360_000_000, '100:00:00,000'],
  ])('%d ms are written as %s', (ms, expected) => {
    expect(subtitleTime(ms, ',')).toBe(expected);
  });
});
