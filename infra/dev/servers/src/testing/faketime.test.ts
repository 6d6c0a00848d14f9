import { describe, expect, it } from '@jest/globals';
import { faketimeSettings } from './faketime.ts';

describe('the settings of libfaketime', () => {
  it.each([
    [86_400_500, '+86400.500'],
    [-61_000, '-61.000'],
  ])('move the calendar by %d ms, and no timer with it', (offsetMs, expected) => {
    expect(faketimeSettings('/lib/libfaketime.so.1', offsetMs)).toEqual({
      LD_PRELOAD: '/lib/libfaketime.so.1',
      FAKETIME: expected,
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    });
  });
});
