import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { byHashTag, hashTag } from './define-contract.ts';

it('a name has one hash tag for ever: its keys stay where they are', () => {
  expect(['', 'account', '0c1c1a5e-3f0c-4e57-a1f0-7f0f7d9d5b11'].map(hashTag)).toEqual(['{4}', '{3}', '{6}']);
});

it('names are spread over the tags, so that no server of a cluster has most of them', () => {
  const groups = byHashTag(
    Array.from({ length: 8_000 }, () => randomUUID()),
    hashTag,
  );
  expect(groups).toHaveLength(8);
  for (const group of groups) expect(group.length).toBeLessThan(1_300);
});

it('keys without a tag are alone, and those with the same tag together', () => {
  const keys = ['a:{1}:x', 'b', 'c', 'd:{1}:y', 'e:{2}'];
  expect(byHashTag(keys, (key) => key)).toEqual([['a:{1}:x', 'd:{1}:y'], ['b'], ['c'], ['e:{2}']]);
});
