import { MAX_LIBRARY_QUERY_WORDS } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { quoteLexeme, type Token, toTokens } from './library-words.ts';

/** Words that stand together. */
type Term = { readonly tokens: readonly Token[]; readonly isExcluded: boolean };

/** Words, "phrases" and -exclusions; a quote that is left open ends with the query. Every character is read once. */
const TERMS = /(?<minus>(?<![^\s"])-)?(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu;

/** Throws `invalid_library_query` if it names no word to find, or too many. */
export const parseQuery = (query: string): Term[] => {
  const terms = [...query.matchAll(TERMS)]
    .map(({ groups = {} }): Term => {
      const tokens = toTokens(groups.phrase ?? groups.word ?? '').filter(({ isPart }) => !isPart);
      return { tokens, isExcluded: groups.minus !== undefined };
    })
    .filter(({ tokens }) => tokens.length > 0);
  const words = terms.reduce((sum, { tokens }) => sum + tokens.length, 0);
  if (words > MAX_LIBRARY_QUERY_WORDS || terms.every(({ isExcluded }) => isExcluded))
    throw serviceError('invalid_library_query');
  return terms;
};

/** The different words of a query. */
export const wordsIn = (terms: readonly Term[]): string[] => [
  ...new Set(terms.flatMap(({ tokens }) => tokens.map(({ word }) => word))),
];

/** A query in the lexemes of one dictionary. */
export type LexemeQuery = {
  readonly dictionary: string;
  /** Lexemes that a transcript must have. */
  readonly needed: readonly string[];
  /** A `tsquery` for its passages. */
  readonly query: string;
};

const toPhrase = (tokens: readonly Token[], lexemeOf: (word: string) => string): string =>
  tokens
    .map(({ word, at }, index) => {
      const before = tokens[index - 1];
      return `${before ? ` <${at - before.at}> ` : ''}${quoteLexeme(lexemeOf(word))}`;
    })
    .join('');

export const toLexemeQuery = (
  terms: readonly Term[],
  dictionary: string,
  lexemeOf: (word: string) => string,
): LexemeQuery => ({
  dictionary,
  needed: wordsIn(terms.filter(({ isExcluded }) => !isExcluded)).map(lexemeOf),
  query: terms
    .map(({ tokens, isExcluded }) => `${isExcluded ? '!' : ''}(${toPhrase(tokens, lexemeOf)})`)
    .join(' & '),
});
