import type { Sql } from '@tds/base';
import { SIMPLE_DICTIONARY } from './domain/dictionaries.ts';
import { baseForm } from './domain/endings.ts';
import { findLexemes } from './store/lexemes.ts';

/** Words of all languages; a transcript has some hundred, most of which the ones before it had, too. */
const MAX_WORDS = 100_000;

type LexemeOf = (word: string) => string;

/** Resolves to the lexemes of these words, of which it asks Postgres only for new ones. */
export type Stemmer = (dictionary: string, words: ReadonlySet<string>) => Promise<LexemeOf>;

const unstemmed: LexemeOf = (word) => baseForm(SIMPLE_DICTIONARY, word);

export const createStemmer = (sql: Sql): Stemmer => {
  const cache = new Map<string, Map<string, string>>();
  let count = 0;
  const lexemesIn = (dictionary: string): Map<string, string> => {
    if (count > MAX_WORDS) {
      cache.clear();
      count = 0;
    }
    const lexemes = cache.get(dictionary) ?? new Map<string, string>();
    cache.set(dictionary, lexemes);
    return lexemes;
  };
  return async (dictionary, words) => {
    if (dictionary === SIMPLE_DICTIONARY) return unstemmed;
    const lexemes = lexemesIn(dictionary);
    const unknown = [...words].filter((word) => !lexemes.has(word));
    const newLexemes = (await findLexemes(sql, [dictionary], unknown)).get(dictionary) ?? [];
    for (const [word, lexeme] of newLexemes) lexemes.set(word, lexeme);
    count += unknown.length;
    return (word) => lexemes.get(word) ?? word;
  };
};
