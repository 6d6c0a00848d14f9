import { MAX_LIBRARY_QUERY_WORDS } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { quoteLexeme, type Token, toTokens } from './library-words.ts';

/** Words that stand together. */
type Term = { readonly tokens: readonly Token[]; readonly isExcluded: boolean };

/** Words, "phrases" and -exclusions; a quote that is left open ends with the query. Every character is read once. */
const TERMS = /(?<minus>(?<![^\s"])-)?(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu;

const countWords = (terms: readonly Term[]): number => terms.flatMap(({ tokens }) => tokens).length;

/** Throws `invalid_library_query` if it names no word to find, or too many. */
export const parseQuery = (query: string): Term[] => {
  const terms = [...query.matchAll(TERMS)]
    .map(({ groups = {} }): Term => {
      const tokens = toTokens(groups.phrase ?? groups.word ?? '').filter(({ isItem }) => !isItem);
      return { tokens, isExcluded: groups.minus !== undefined };
    })
    .filter(({ tokens }) => tokens.length > 0);
  if (countWords(terms) > MAX_LIBRARY_QUERY_WORDS || terms.every(({ isExcluded }) => isExcluded))
    throw serviceError('invalid_library_query');
  return terms;
};

/** The different words of a query. */
export const wordsIn = (terms: readonly Term[]): string[] => [
  ...new Set(terms.flatMap(({ tokens }) => tokens.map(({ word }) => word))),
];

/** Lexemes of words that stand together, each with its distance from the first. */
export type LexemePhrase = readonly { readonly lexeme: string; readonly distance: number }[];

/** A query in the lexemes of one dictionary. */
export type LexemeQuery = {
  readonly dictionary: string;
  /** What a passage must have, each once. */
  readonly phrases: readonly LexemePhrase[];
  /** Lexemes that a transcript must have. */
  readonly needed: readonly string[];
  /** A `tsquery` for its passages, of so many words. */
  readonly query: string;
  readonly words: number;
};

const toPhrase = ({ tokens }: Term, lexemeOf: (word: string) => string): LexemePhrase =>
  tokens.map(({ word, at }) => ({ lexeme: lexemeOf(word), distance: at - (tokens[0]?.at ?? at) }));

const toQueryText = (phrase: LexemePhrase): string =>
  phrase
    .map(({ lexeme, distance }, index) => {
      const previous = phrase[index - 1];
      return `${previous ? ` <${distance - previous.distance}> ` : ''}${quoteLexeme(lexeme)}`;
    })
    .join('');

export const toLexemeQuery = (
  terms: readonly Term[],
  dictionary: string,
  lexemeOf: (word: string) => string,
): LexemeQuery => {
  const requiredTerms = terms.filter(({ isExcluded }) => !isExcluded);
  const phrases = requiredTerms.map((term) => toPhrase(term, lexemeOf));
  return {
    dictionary,
    phrases: [...new Map(phrases.map((phrase) => [toQueryText(phrase), phrase])).values()],
    needed: wordsIn(requiredTerms).map(lexemeOf),
    query: terms
      .map((term) => `${term.isExcluded ? '!' : ''}(${toQueryText(toPhrase(term, lexemeOf))})`)
      .join(' & '),
    words: countWords(terms),
  };
};
