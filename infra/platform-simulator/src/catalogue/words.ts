import { readFileSync } from 'node:fs';
import { hashText, type Random } from './random.ts';

const vocabularies = JSON.parse(
  readFileSync(new URL('vocabularies.json', import.meta.url), 'utf8'),
) as Record<string, string>;

/** Scripts that are written without spaces between words. */
const unspaced = new Set(['zh', 'ja', 'th']);

const syllables = 'ka lo mi ren tu sa vel dor pi an es ur'.split(' ');
const wordLists = new Map(
  Object.entries(vocabularies).map(([language, list]) => [language, list.split(' ')]),
);

/** A language without a vocabulary gets made-up words of its own, so that tracks never look alike. */
const inventWords = (language: string): string[] =>
  Array.from({ length: 16 }, (_, index) =>
    [0, 1, 2].map((part) => syllables[hashText(`${language}${index}${part}`) % syllables.length]).join(''),
  );

const baseOf = (code: string): string => code.split('-')[0] ?? code;

/** What stands between two words of a language: a space or nothing. */
export const wordGlue = (code: string): string => (unspaced.has(baseOf(code)) ? '' : ' ');

/** `count` words of a language; codes with a region use the language's words. */
export const words = (code: string, count: number, random: Random): string[] => {
  const language = baseOf(code);
  const list = wordLists.get(language) ?? inventWords(language);
  return Array.from({ length: count }, () => random.pick(list));
};
