import { expect, it } from '@jest/globals';
import { createLocalReads } from './local-reads.ts';

it('cache reads without Redis are counted by key and day in the process', () => {
  const reads = createLocalReads();
  const count = (key: string, day: string) => reads.count(key, day, 2);
  expect([count('a', 'monday'), count('a', 'monday'), count('a', 'monday')]).toEqual([true, true, false]);
  reads.giveBack('a', 'monday');
  expect([count('a', 'monday'), count('a', 'monday')]).toEqual([true, false]);
  reads.giveBack('b', 'monday');
  expect([count('b', 'monday'), count('b', 'monday'), count('b', 'monday')]).toEqual([true, true, false]);
  expect([count('a', 'tuesday'), count('a', 'tuesday'), count('a', 'tuesday')]).toEqual([true, true, false]);
});
