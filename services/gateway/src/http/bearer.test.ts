import { describe, expect, it } from '@jest/globals';
import { readBearer } from './credentials.ts';

describe('readBearer', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER   abc  ', 'abc'],
    ['Bearer a, Bearer b', 'a, Bearer b'],
  ])('reads %j', (header, token) => {
    expect(readBearer(header)).toEqual({ kind: 'token', token });
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic abc', 'abc', 'Bearerabc', ' Bearer abc'])(
    'sees that %j is none',
    (header) => {
      expect(readBearer(header).kind).toBe('malformed');
    },
  );

  it('tells a missing header from a malformed one', () => {
    expect(readBearer(undefined).kind).toBe('none');
  });
});
