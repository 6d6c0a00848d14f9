import { STEMMERS } from '@tds/transcript-format/stemmers';

/** Codes that the platform still uses, by those that took their place. */
const OLD_CODES: Readonly<Record<string, string>> = { he: 'iw', id: 'in', yi: 'ji' };
const NEW_CODES = Object.fromEntries(Object.entries(OLD_CODES).map(([now, before]) => [before, now]));

/** Leaves words as they are: for languages without a stemmer. */
export const SIMPLE_DICTIONARY = 'simple';

const baseOf = (languageCode: string): string => languageCode.toLowerCase().split('-', 1)[0] ?? '';

/** The dictionary of Postgres that stems a language. */
export const dictionaryOf = (languageCode: string): string => {
  const base = baseOf(languageCode);
  const stemmer = STEMMERS[NEW_CODES[base] ?? base];
  return stemmer === undefined ? SIMPLE_DICTIONARY : `${stemmer}_stem`;
};

export const dictionaries: readonly string[] = [
  ...new Set([...Object.keys(STEMMERS).map(dictionaryOf), SIMPLE_DICTIONARY]),
];

/** A language and its old code, each of which stands for its regions, too: `pt` for `pt-BR`. */
export const languagePrefixes = (language: string): string[] => {
  const base = baseOf(language);
  const old = OLD_CODES[base];
  const tag = language.toLowerCase();
  return old === undefined ? [tag] : [tag, old + tag.slice(base.length)];
};
