/** Stemmers of Postgres, by the code of their language. */
const STEMMERS: Readonly<Record<string, string>> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hi: 'hindi',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** Codes that the platform still uses, by those that took their place. */
const OLD_CODES: Readonly<Record<string, string>> = { he: 'iw', id: 'in', yi: 'ji' };
const NEW_CODES = Object.fromEntries(Object.entries(OLD_CODES).map(([now, before]) => [before, now]));

/** Leaves words as they are: for languages without a stemmer. */
export const SIMPLE = 'simple';

const baseOf = (languageCode: string): string => languageCode.toLowerCase().split('-', 1)[0] ?? '';

/** The dictionary of Postgres that stems a language. */
export const dictionaryOf = (languageCode: string): string => {
  const base = baseOf(languageCode);
  const stemmer = STEMMERS[NEW_CODES[base] ?? base];
  return stemmer === undefined ? SIMPLE : `${stemmer}_stem`;
};

export const dictionaries: readonly string[] = [
  ...new Set([...Object.keys(STEMMERS).map(dictionaryOf), SIMPLE]),
];

/** A language and its old code, each of which stands for its regions, too: `pt` for `pt-BR`. */
export const languagePrefixes = (language: string): string[] => {
  const base = baseOf(language);
  const old = OLD_CODES[base];
  const tag = language.toLowerCase();
  return old === undefined ? [tag] : [tag, old + tag.slice(base.length)];
};
