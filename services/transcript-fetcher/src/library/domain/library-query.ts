import { MAX_LIBRARY_QUERY_WORDS } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { foldForms } from '@tds/transcript-format/fold';
import {
  createLexemes,
  hasKey,
  listForms,
  OWN_WEIGHT,
  quoteLexeme,
  type Token,
  toTokens,
} from './library-words.ts';

/** Words that stand together. */
export type Term = { readonly tokens: readonly Token[]; readonly isExcluded: boolean };

/** Words, "phrases" and -exclusions; a quote that is left open ends with the query. Every character is read once. */
const TERMS = /(?<minus>(?<![^\s"])-)?(?:"(?<phrase>[^"]*)"?|(?<word>[^\s"]+))/gu;

const countWords = (terms: readonly Term[]): number => terms.flatMap(({ tokens }) => tokens).length;

/** Null if it names no word to find, or too many. */
export const readTerms = (query: string): Term[] | null => {
  const terms = [...foldForms(query).matchAll(TERMS)]
    .map(({ groups = {} }): Term => {
      const tokens = toTokens(groups.phrase ?? groups.word ?? '').filter(({ isItem }) => !isItem);
      return { tokens, isExcluded: groups.minus !== undefined };
    })
    .filter(({ tokens }) => tokens.length > 0);
  const hasRoom = countWords(terms) <= MAX_LIBRARY_QUERY_WORDS;
  return hasRoom && terms.some(({ isExcluded }) => !isExcluded) ? terms : null;
};

/** Throws `invalid_library_query`. */
export const parseQuery = (query: string): Term[] => {
  const terms = readTerms(query);
  if (terms === null) throw serviceError('invalid_library_query');
  return terms;
};

/** The different words of a query, with and without accents. */
export const wordsIn = (terms: readonly Term[]): string[] => [
  ...new Set(listForms(terms.flatMap(({ tokens }) => tokens))),
];

/** Words that stand together, each as one of its lexemes, with its distance from the first. */
export type LexemePhrase = readonly { readonly lexemes: readonly string[]; readonly distance: number }[];

/** A query in the lexemes of one dictionary. */
export type LexemeQuery = {
  readonly dictionary: string;
  /** What a passage must have, each once. */
  readonly phrases: readonly LexemePhrase[];
  /** Lexemes of what it does not exclude. */
  readonly needed: readonly string[];
  /** Lexemes that a transcript must have, none if all words are stop words; the others if the first word with two lexemes is written in another way. */
  readonly keys: readonly string[];
  readonly otherKeys: readonly string[] | null;
  /** A `tsquery` for its passages, of so many words: each phrase stands in a passage or begins there, or stands at the begin of the next one. */
  readonly query: string;
  /** Each begins in the passage. */
  readonly whole: string;
  /** At least one does. */
  readonly begun: string;
  readonly words: number;
};

const toPhrase = ({ tokens }: Term, lexemeOf: (word: string) => string): LexemePhrase =>
  tokens.map((token) => ({
    lexemes: createLexemes(lexemeOf)(token),
    distance: token.at - (tokens[0]?.at ?? token.at),
  }));

const toQueryText = (phrase: LexemePhrase, firstWeight = ''): string =>
  phrase
    .map(({ lexemes, distance }, index) => {
      const previous = phrase[index - 1];
      const any = lexemes.map((lexeme) => quoteLexeme(lexeme) + (previous ? '' : firstWeight)).join(' | ');
      return (previous ? ` <${distance - previous.distance}> ` : '') + (lexemes.length > 1 ? `(${any})` : any);
    })
    .join('');
const toBegunText = (phrase: LexemePhrase): string => `(${toQueryText(phrase, `:${OWN_WEIGHT}`)})`;

export const toLexemeQuery = (
  terms: readonly Term[],
  dictionary: string,
  lexemeOf: (word: string) => string,
): LexemeQuery => {
  const requiredTerms = terms.filter(({ isExcluded }) => !isExcluded);
  const phrases = requiredTerms.map((term) => toPhrase(term, lexemeOf));
  const begun = phrases.map(toBegunText);
  const words = phrases.flat().map(({ lexemes }) => lexemes);
  const keyed = words.filter((lexemes) => lexemes.every(hasKey));
  const certain = keyed.filter(({ length }) => length === 1).flat();
  const either = keyed.find(({ length }) => length > 1);
  const keysWith = (lexeme: string | undefined) => [
    ...new Set(lexeme === undefined ? certain : [...certain, lexeme]),
  ];
  return {
    dictionary,
    phrases: [...new Map(phrases.map((phrase) => [toQueryText(phrase), phrase])).values()],
    needed: [...new Set(words.flat())],
    keys: keysWith(either?.[0]),
    otherKeys: either ? keysWith(either[1]) : null,
    query: terms
      .map((term) => {
        const phrase = toPhrase(term, lexemeOf);
        return term.isExcluded ? `!${toBegunText(phrase)}` : `(${toQueryText(phrase)})`;
      })
      .join(' & '),
    whole: begun.join(' & '),
    begun: begun.join(' | '),
    words: countWords(terms),
  };
};
