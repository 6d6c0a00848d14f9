import type { Sql } from '@tds/base';
import { LRUCache } from 'lru-cache';
import { findLexemes } from '../store/lexemes.ts';

/** Words of all languages; a transcript has some hundred, most of which the ones before it had, too. */
const MAX_WORDS = 50_000;

/** Resolves to the lexemes of these words, of which it asks Postgres only for new ones. */
export type Stemmer = (dictionary: string, words: ReadonlySet<string>) => Promise<(word: string) => string>;

export const createStemmer = (sql: Sql): Stemmer => {
  const known = new LRUCache<string, string>({ max: MAX_WORDS });
  return async (dictionary, words) => {
    const keyOf = (word: string) => `${dictionary} ${word}`;
    const lexemes = new Map<string, string>();
    const unknown: string[] = [];
    for (const word of words) {
      const lexeme = known.get(keyOf(word));
      if (lexeme === undefined) unknown.push(word);
      else lexemes.set(word, lexeme);
    }
    for (const { word, lexeme } of await findLexemes(sql, [dictionary], unknown)) {
      known.set(keyOf(word), lexeme);
      lexemes.set(word, lexeme);
    }
    return (word) => lexemes.get(word) ?? word;
  };
};
