import { describe, expect, it } from '@jest/globals';
import { findMatches, formatCount, MAX_MATCHES, matchAt } from './find-matches.ts';

const found = (texts: readonly string[], words: string): string[] =>
  findMatches(texts, words).map(({ rest = [], ...first }) =>
    [first, ...rest].map(({ text, start, end }) => `${text}:${texts[text]?.slice(start, end)}`).join(' '),
  );

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
    expect(found(['İstanbul ist'], 'ist')).toEqual(['0:İst', '0:ist']);
    expect(found(['Straße, ﬁn'], 'strass')).toEqual(['0:Straß']);
    expect(found(['月に行く', '👍🏽 ok'], '月に')).toEqual(['0:月に']);
    expect(found(['👍🏽 ok'], 'OK')).toEqual(['0:ok']);
  });

  it.each([
    ['I don’t know', "don't", 'don’t'],
    ["I can't", 'can’t', "can't"],
    ['the ﬁnance of CO₂', 'finance of co2', 'ﬁnance of CO₂'],
    ['co‑operate', 'co-operate', 'co‑operate'],
    ['Un Cafe\u0301 où', 'café ou', 'Cafe\u0301 où'],
    ['naïve résumé', 'naive resume', 'naïve résumé'],
    ['soft\u00adhyphen', 'softhyphen', 'soft\u00adhyphen'],
    ['שָׁלוֹם לכם', 'שלום', 'שָׁלוֹם'],
    ['مُحَمَّد', 'محمد', 'مُحَمَّد'],
    ['서울에서', '서울', '서울'],
    ['これは 東京 都です', '東京都', '東京 都'],
    ['東京都', '東 京', '東京'],
    ['हिन्दी', 'हिन्दी', 'हिन्दी'],
  ])('finds in %j by %j what a person takes for it', (text, words, seen) =>
    expect(found([text], words)).toEqual([`0:${seen}`]),
  );

  it('finds once what stands over the end of a text, and counts it where it begins', () => {
    const texts = ['simple css grid in', 'simplifying grid', '[Music]', 'grid in simplifying'];
    expect(found(texts, 'css grid in simplifying')).toEqual(['0:css grid in 1:simplifying']);
    expect(found(texts, 'grid in simplifying')).toEqual(['0:grid in 1:simplifying', '3:grid in simplifying']);
    expect(found(texts, 'grid [music] GRID')).toEqual(['1:grid 2:[Music] 3:grid']);
    expect(found(['hard to believe.', '>> Ask'], 'hard to believe. >> Ask')).toHaveLength(1);
    expect(found(['東京', '', '都'], '東京都')).toEqual(['0:東京 2:都']);
    expect(found(['a', 'b'], 'ab')).toEqual([]);
  });

  it('finds nothing for no words, half a character or words that are not there', () => {
    for (const words of ['', '  ', '\ud83d', 'missing'])
      expect(findMatches(['\u{1f600} text'], words)).toEqual([]);
  });

  it('ends soon after what can be shown', () => {
    expect(findMatches(['e'.repeat(100_000)], 'e')).toHaveLength(MAX_MATCHES + 1);
    const [many, few] = [
      Array.from({ length: 5_000 }, () => 'é'),
      Array.from({ length: 1_000 }, () => '東 '.repeat(300)),
    ];
    expect(findMatches(many, 'e')).toHaveLength(MAX_MATCHES + 1);
    expect(findMatches(few, '東'.repeat(201))).toHaveLength(1_500);
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
