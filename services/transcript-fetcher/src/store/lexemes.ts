import type { Sql } from '@tds/base';

const LEXEMES = {
  name: 'library-lexemes',
  // A stop word is none here: quoted sentences have them.
  text: `
    SELECT dictionary, word, coalesce((ts_lexize(dictionary::regdictionary, word))[1], word) AS lexeme
    FROM unnest($1::text[]) AS d (dictionary) CROSS JOIN unnest($2::text[]) AS w (word)`,
};

type FoundLexeme = { readonly dictionary: string; readonly word: string; readonly lexeme: string };

/** The lexeme of each word in each dictionary of Postgres. */
export const findLexemes = (
  sql: Sql,
  dictionaries: readonly string[],
  words: readonly string[],
): Promise<FoundLexeme[]> =>
  words.length === 0 ? Promise.resolve([]) : sql<FoundLexeme>(LEXEMES, [dictionaries, words]);
