import type { Random } from './random.ts';
import { wordGlue, words } from './words.ts';

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
