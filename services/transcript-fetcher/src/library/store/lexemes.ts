import type { Sql } from '@tds/base';

// A stop word is none here: quoted sentences have them.
const LEXEMES = `
  SELECT dictionary, (
    SELECT array_agg(coalesce((ts_lexize(dictionary::regdictionary, word))[1], word) ORDER BY n)
    FROM unnest($2::text[]) WITH ORDINALITY AS w (word, n)) AS lexemes
  FROM unnest($1::text[]) AS d (dictionary)`;

type LexemesRow = { readonly dictionary: string; readonly lexemes: readonly string[] };

/** By dictionary of Postgres, the lexeme of each word. */
export const findLexemes = async (
  sql: Sql,
  dictionaries: readonly string[],
  words: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> => {
  const rows = words.length === 0 ? [] : await sql<LexemesRow>(LEXEMES, [dictionaries, words]);
  return new Map(
    rows.map(({ dictionary, lexemes }) => [
      dictionary,
      new Map(words.map((word, index) => [word, lexemes[index] ?? word])),
    ]),
  );
};
