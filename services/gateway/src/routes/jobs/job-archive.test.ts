import { describe, expect, it } from '@jest/globals';
import { parseRange } from './job-archive.ts';

describe('a Range header', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=10-', { start: 10, end: 99 }],
    ['bytes=10-1000', { start: 10, end: 99 }],
    ['bytes=-10', { start: 90, end: 99 }],
    ['bytes=-1000', { start: 0, end: 99 }],
    ['bytes=99-99', { start: 99, end: 99 }],
  ])('%s is a part of 100 bytes', (header, range) => {
    expect(parseRange(header, 100)).toEqual(range);
  });

  it.each([
    undefined,
    '',
    'bytes=',
    'bytes=-',
    'bytes=5-4',
    'bytes=0-1,3-4',
    'items=0-1',
    'bytes=a-b',
    'bytes=1e1-',
  ])('%s is ignored', (header) => {
    expect(parseRange(header, 100)).toBeNull();
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=999999999999999-'])(
    '%s is outside of it',
    (header) => {
      expect(parseRange(header, 100)).toBe('unsatisfiable');
    },
  );
});
