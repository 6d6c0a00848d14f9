import { describe, expect, it } from '@jest/globals';
import {
  digestCriteria,
  digestPage,
  newContinuation,
  type SearchCriteria,
  toPageReservation,
} from './search.ts';

const question = (given: Partial<SearchCriteria> = {}): SearchCriteria => ({
  query: 'bread',
  type: 'video',
  channelId: null,
  ...given,
});

describe('the digest of a question', () => {
  it('is the same for all pages of one search', () => {
    expect(digestCriteria(question())).toBe(digestCriteria(question()));
  });

  it('differs with the words, the kind and the channel', () => {
    const digests = [
      question(),
      question({ query: 'Bread' }),
      question({ type: 'channel' }),
      question({ channelId: 'UC1' }),
    ].map(digestCriteria);
    expect(new Set(digests).size).toBe(4);
  });

  it('does not mix up its items', () => {
    const one = question({ query: 'a","video', channelId: 'b' });
    const other = question({ query: 'a', channelId: 'video","b' });
    expect(digestCriteria(one)).not.toBe(digestCriteria(other));
  });
});

describe('the fingerprint of a page', () => {
  it('differs with the question and the continuation', () => {
    const prints = [
      digestPage('q', null),
      digestPage('q', 'next'),
      digestPage('q', 'null'),
      digestPage('r', null),
    ];
    expect(new Set(prints).size).toBe(4);
    expect(digestPage('q', 'next')).toBe(prints[1]);
  });
});

describe('a continuation', () => {
  it('is new each time, and cannot be guessed', () => {
    const some = Array.from({ length: 1_000 }, newContinuation);
    expect(new Set(some).size).toBe(1_000);
    for (const each of some) expect(each).toMatch(/^[\w-]{32}$/);
  });
});

describe('the credit of a page', () => {
  it('is one item of one credit, held under the id of the request', () => {
    const owner = { accountId: 'account', keyId: 'key', limitId: 'slot', requestId: 'request' };
    expect(toPageReservation(owner)).toEqual({
      ...owner,
      ref: 'request',
      reason: 'search',
      unit: 1,
      items: [1],
    });
  });
});
