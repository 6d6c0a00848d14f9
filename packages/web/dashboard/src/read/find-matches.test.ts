import { describe, expect, it } from '@jest/globals';
import { findMatches, formatCount, MAX_MATCHES, matchAt } from './find-matches.ts';

const found = (texts: readonly string[], words: string): string[] =>
  findMatches(texts, words).map(({ text, start, end }) => `${text}:${texts[text]?.slice(start, end)}`);

describe('a search', () => {
  it('finds words in any case and with any space between them, in all texts', () => {
    const texts = ['The moon. the\nmoon', 'Nothing', 'THE  MOON'];
    expect(found(texts, ' the moon ')).toEqual(['0:The moon', '0:the\nmoon', '2:THE  MOON']);
  });

  it('takes signs as signs', () => {
    expect(found(['a.b (c) [d] $5 \\ a-b {2}'], '.b (c) [d] $5 \\ a-b {2}')).toHaveLength(1);
    expect(found(['aXb'], 'a.b')).toEqual([]);
    expect(found(['a/b|c?'], 'a/b|c?')).toHaveLength(1);
  });

  it('keeps its places right where the case changes the length', () => {
    expect(found(['İstanbul ist'], 'ist')).toEqual(['0:ist']);
    expect(found(['月に行く', '👍🏽 ok'], '月に')).toEqual(['0:月に']);
    expect(found(['👍🏽 ok'], 'OK')).toEqual(['0:ok']);
  });

  it('finds nothing for no words, half a character or words that are not there', () => {
    for (const words of ['', '  ', '\ud83d', 'missing'])
      expect(findMatches(['\u{1f600} text'], words)).toEqual([]);
  });

  it('ends soon after what can be shown', () => {
    expect(findMatches(['e'.repeat(100_000)], 'e')).toHaveLength(MAX_MATCHES + 1);
  });
});

it.each([
  [0, 3, -1],
  [1, 3, 0],
  [4, 3, 0],
  [-1, 3, 2],
  [-3, 3, 0],
  [-4, 3, 2],
  [2, 0, -1],
])('%s steps among %s matches lead to %s', (steps, count, index) => expect(matchAt(steps, count)).toBe(index));

it('the count says where the reader is, and when there is more than can be shown', () => {
  const some = findMatches(['a a a'], 'a');
  expect(formatCount(some, -1)).toBe('3 found');
  expect(formatCount(some, 1)).toBe('2 of 3');
  expect(formatCount([], -1)).toBe('Not found');
  expect(formatCount(findMatches(['a'.repeat(MAX_MATCHES + 9)], 'a'), 0)).toBe('1 of more than 2,000');
});
