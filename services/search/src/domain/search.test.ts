import { describe, expect, it } from '@jest/globals';
import { digestQuestion, fingerprintOf, newContinuation, type Question, toCredit } from './search.ts';

const question = (given: Partial<Question> = {}): Question => ({
  query: 'bread',
  type: 'video',
  channelId: null,
  ...given,
});

describe('the digest of a question', () => {
  it('is the same for all pages of one search', () => {
    expect(digestQuestion(question())).toBe(digestQuestion(question()));
  });

  it('differs with the words, the kind and the channel', () => {
    const digests = [
      question(),
      question({ query: 'Bread' }),
      question({ type: 'channel' }),
      question({ channelId: 'UC1' }),
    ].map(digestQuestion);
    expect(new Set(digests).size).toBe(4);
  });

  it('does not mix up its items', () => {
    const one = question({ query: 'a","video', channelId: 'b' });
    const other = question({ query: 'a', channelId: 'video","b' });
    expect(digestQuestion(one)).not.toBe(digestQuestion(other));
  });
});

describe('the fingerprint of a page', () => {
  it('differs with the question and the continuation', () => {
    const prints = [
      fingerprintOf('q', null),
      fingerprintOf('q', 'next'),
      fingerprintOf('q', 'null'),
      fingerprintOf('r', null),
    ];
    expect(new Set(prints).size).toBe(4);
    expect(fingerprintOf('q', 'next')).toBe(prints[1]);
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
    expect(toCredit(owner)).toEqual({ ...owner, ref: 'request', reason: 'search', unit: 1, items: [1] });
  });
});
