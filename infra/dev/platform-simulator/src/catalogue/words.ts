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

/** Parts of real titles that break file names, HTML, CSV and subtitles. */
const decorations: readonly ((title: string) => string)[] = [
  (title) => title,
  (title) => title,
  (title) => `"${title}"`,
  (title) => `${title} / part 2`,
  (title) => `${title} <live>`,
  (title) => `${title} & friends`,
  (title) => `${title} --> finale`,
  (title) => `🎬 ${title} 👩‍🚀`,
  (title) => `${title}: what's "next"? \\ 100%`,
  (title) => `${title} | עברית و العربية`,
  (title) => `=${title}`,
];

const capitalise = (text: string): string => {
  const [first = '', ...rest] = Array.from(text);
  return first.toLocaleUpperCase('en') + rest.join('');
};

/** A title in the script of `languageCode`, now and then with characters that need escaping. */
export const makeTitle = (languageCode: string, random: Random): string => {
  const plain = words(languageCode, random.between(2, 6), random).join(wordGlue(languageCode));
  return random.pick(decorations)(capitalise(plain));
};
