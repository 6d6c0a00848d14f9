import { expect, it } from '@jest/globals';
import { away } from './away.ts';

it.each([
  ['2026-11-29T10:00:00', '2026-12-01T00:00:00', 'in 2 days'],
  ['2026-11-29T10:00:00', '2026-11-30T23:00:00', 'tomorrow'],
  ['2026-11-29T10:00:00', '2026-11-27T11:00:00', '2 days ago'],
  ['2026-11-29T10:00:00', '2026-11-30T09:00:00', 'in 23 hours'],
  ['2026-11-29T10:00:00', '2026-11-29T10:00:30', 'within a minute'],
])('at %s, %s is %s', (now, at, words) => {
  expect(away(new Date(at), new Date(now))).toBe(words);
});
