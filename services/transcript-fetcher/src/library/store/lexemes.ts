import type { Sql } from '@tds/base';
import { baseForm, commonStem } from '../domain/endings.ts';
import { STOP_SIGN } from '../domain/library-words.ts';
import { isStopWord } from '../domain/stop-words.ts';

/** A dictionary answers a word of its list with no lexeme. The stem of such a word is that of the same stemmer without a list. */
const STEMS = `
  SELECT array_agg(lexemes = '{}' ORDER BY n) AS listed, array_agg(
    coalesce(lexemes[1], (ts_lexize(replace(dictionary, '_stem', '_unlisted')::regdictionary, word))[1], word) ORDER BY n) AS stems
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (dictionary, word, n)
    CROSS JOIN ts_lexize(dictionary::regdictionary, word) AS lexemes`;

/** In the order of the words. One row, because thousands take the driver longer than the stemmer. */
type Stems = { readonly stems: readonly string[]; readonly listed: readonly boolean[] };

/** By dictionary of Postgres, the lexeme of each word. */
export const findLexemes = async (
  sql: Sql,
  dictionaries: readonly string[],
  words: readonly string[],
): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> => {
  const asked = dictionaries.flatMap((dictionary) =>
    words.map((word) => ({ dictionary, word, base: baseForm(dictionary, word) })),
  );
  const values = [asked.map(({ dictionary }) => dictionary), asked.map(({ base }) => base)];
  const [found] = asked.length === 0 ? [] : await sql<Stems>(STEMS, values);
  const lexemes = new Map<string, Map<string, string>>(dictionaries.map((name) => [name, new Map()]));
  for (const [index, { dictionary, word }] of asked.entries()) {
    const lexeme = commonStem(dictionary, found?.stems[index] ?? word, word);
    const sign = isStopWord(dictionary, word, found?.listed[index] === true) ? STOP_SIGN : '';
    lexemes.get(dictionary)?.set(word, sign + lexeme);
  }
  return lexemes;
};
