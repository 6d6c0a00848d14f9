import { expect, it } from '@jest/globals';
import { readTerms } from './library-query.ts';
import { findCandidates, toPassagesOf } from './word-candidates.ts';

const lexemesOf = ({ word }: { readonly word: string }) => [word];
/** Of a recording of a day, in which each passage has these words. */
const passagesWith = (words: string) =>
  toPassagesOf(Array.from({ length: 5_000 }, (_, position) => ({ position, lexemes: words })));
const find = (query: string, words: string) =>
  findCandidates(readTerms(query) ?? [], lexemesOf, passagesWith(words));

const letters = [...'abcdefghijklmnopqrstuvwxyz'].join(' ');

it('three words that are said all day are looked for in all of it', () => {
  expect(find('"one of the"', 'one of the').positions).toHaveLength(5_000);
});

it.each([`"${letters}"`, letters, `a -"${letters.slice(2)}"`])(
  '%s is looked for in the first passages, in bounded time',
  (query) => {
    const { positions, cost } = find(query, letters);
    expect(cost).toBeLessThan(33_000);
    expect(positions.length).toBeGreaterThan(500);
    expect(positions).toEqual(positions.map((_, n) => n));
  },
);

it('a word that is missing costs nothing', () => {
  expect(find('a zebra', letters)).toEqual({ positions: [], cost: 0 });
});
