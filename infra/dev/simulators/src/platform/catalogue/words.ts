import { readFileSync } from 'node:fs';
import { hashText, type Random } from './random.ts';

type Language = {
  /** Words are separated by spaces, also in scripts without. */
  readonly sentences: readonly string[];
  readonly titles: readonly string[];
};

const languages = new Map(
  Object.entries(
    JSON.parse(readFileSync(new URL('speech.json', import.meta.url), 'utf8')) as Record<string, Language>,
  ),
);

/** Scripts that are written without spaces between words. */
const unspaced = new Set(['zh', 'ja', 'th']);

const syllables = 'ka lo mi ren tu sa vel dor pi an es ur'.split(' ');

/** A language without sentences gets made-up words of its own, so that tracks never look alike. */
const inventLanguage = (code: string): Language => {
  const invented = Array.from({ length: 16 }, (_, index) =>
    [0, 1, 2].map((part) => syllables[hashText(`${code}${index}${part}`) % syllables.length]).join(''),
  );
  const sentence = `${capitalise(invented.join(' '))}.`;
  return { sentences: [sentence], titles: [invented.slice(0, 4).join(' ')] };
};

const baseOf = (code: string): string => code.split('-')[0] ?? code;
const languageOf = (code: string): Language => languages.get(baseOf(code)) ?? inventLanguage(baseOf(code));

/** What stands between two words of a language: a space or nothing. */
export const wordGlue = (code: string): string => (unspaced.has(baseOf(code)) ? '' : ' ');

/** Sentences of a language as a stream of words; codes with a region use the language's. */
export const createSpeech = (code: string, random: Random) => {
  const { sentences } = languageOf(code);
  let words: string[] = [];
  return {
    next(count: number): string[] {
      while (words.length < count) words = [...words, ...random.pick(sentences).trim().split(' ')];
      const next = words.slice(0, count);
      words = words.slice(count);
      return next;
    },
  };
};

/** Words as speech recognition writes them: without capitals and punctuation, except inside of words and numbers. */
export const asRecognised = (words: readonly string[]): string[] =>
  words
    .map((word) => word.toLowerCase().replace(/^[^\p{L}\p{M}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, ''))
    .filter((word) => word !== '');

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
  const title = random.pick(languageOf(languageCode).titles).split(' ').join(wordGlue(languageCode));
  const numbered = random.percent(60) ? `${title} ${random.between(2, 99)}` : title;
  return random.pick(decorations)(capitalise(numbered));
};
