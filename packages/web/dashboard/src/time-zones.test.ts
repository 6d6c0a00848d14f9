import { expect, it } from '@jest/globals';
import { zoneNames } from './time-zones.ts';

it('time zones have their names of today, each once, and the chosen one is first', () => {
  const names = zoneNames('Asia/Calcutta', 'Europe/Kiev');
  expect(names.slice(0, 3)).toEqual(['Asia/Kolkata', 'Europe/Kyiv', 'UTC']);
  expect(new Set(names).size).toBe(names.length);
  for (const old of ['Asia/Calcutta', 'Asia/Saigon', 'Europe/Kiev']) expect(names).not.toContain(old);
  // The service takes each of them.
  for (const timeZone of names) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow();
});
