import { describe, expect, it } from '@jest/globals';
import { readBearer } from './credentials.ts';

describe('readBearer', () => {
  it('recognizes a bare key, so that the answer can name the missing scheme', () => {
    expect(readBearer('svc_live_abc').kind).toBe('no-scheme');
  });

  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['BEARER   abc  ', 'abc'],
    ['Bearer a, Bearer b', 'a, Bearer b'],
  ])('reads %j', (header, token) => {
    expect(readBearer(header)).toEqual({ kind: 'token', token });
  });

  it.each(['', 'Bearer', 'Bearer ', 'Basic abc', 'abc', 'Bearerabc', ' Bearer abc'])(
    'finds no token in %j',
    (header) => {
      expect(readBearer(header).kind).toBe('malformed');
    },
  );

  it('distinguishes a missing header from a malformed one', () => {
    expect(readBearer(undefined).kind).toBe('none');
  });
});
