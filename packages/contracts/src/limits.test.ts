import { expect, it } from '@jest/globals';
import { secondsToNextUtcDay, utcDay } from './limits.ts';

it.each([
  ['2027-01-31T00:00:00.000Z', 86_400, '2027-01-31'],
  ['2027-01-31T23:59:58.001Z', 2, '2027-01-31'],
  ['2027-01-31T23:59:59.999Z', 1, '2027-01-31'],
  ['2028-02-29T12:00:00.000Z', 43_200, '2028-02-29'],
])('at %s a daily cap clears in %d whole seconds', (now, seconds, day) => {
  expect(secondsToNextUtcDay(new Date(now))).toBe(seconds);
  expect(utcDay(new Date(now))).toBe(day);
});
