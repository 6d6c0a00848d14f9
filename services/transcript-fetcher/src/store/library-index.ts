import type { Sql } from '@tds/base';
import { dictionaryOf } from '../domain/dictionaries.ts';
import type { IndexedPassage } from '../domain/index-pages.ts';
import type { VideoSnapshot } from '../domain/transcript.ts';

/** When the first entry may be indexed. */
export const FIRST_UNINDEXED =
  'SELECT index_at FROM library_entries WHERE words IS NULL ORDER BY index_at LIMIT 1';

export type Unindexed = { readonly transcriptId: string; readonly accountIds: readonly string[] };

const FIND = {
  name: 'library-unindexed',
  text: `
    WITH due AS (
      SELECT account_id, transcript_id FROM library_entries WHERE words IS NULL AND index_at <= now() ORDER BY index_at LIMIT $1
    )
    SELECT transcript_id AS "transcriptId", array_agg(account_id) AS "accountIds" FROM due GROUP BY transcript_id ORDER BY random()`,
};

/** Transcripts of entries that waited longest for their index, in any order, so that two instances seldom try the same one. */
export const findUnindexed = (sql: Sql, most: number): Promise<Unindexed[]> => sql<Unindexed>(FIND, [most]);

/** How long after the begin of each try the next one may begin. */
export const TRY_SECONDS = [60, 600, 3_600];

/** Entries whose index is tried, and what it is made from. */
export type Try = Unindexed & {
  readonly tries: number;
  readonly languageCode: string;
  readonly cuesKey: string;
  readonly chapters: VideoSnapshot['chapters'];
  /** Of entries of other accounts that are indexed; null if there is none. */
  readonly passageCount: number | null;
};

const BEGIN = {
  name: 'library-begin-try',
  text: `
    WITH begun AS (
      UPDATE library_entries SET index_tries = index_tries + 1,
        index_at = now() + coalesce(($3::int[])[index_tries + 1], ($3::int[])[1]) * interval '1 second'
      WHERE account_id = ANY ($1::uuid[]) AND transcript_id = $2 AND words IS NULL AND index_at <= now() RETURNING account_id, index_tries
    )
    SELECT t.id AS "transcriptId", array_agg(account_id) AS "accountIds", max(index_tries) AS tries,
      t.language_code AS "languageCode", t.object_key AS "cuesKey", t.video -> 'chapters' AS chapters, (
      SELECT passage_count FROM library_entries AS e WHERE e.transcript_id = t.id AND e.words IS NOT NULL LIMIT 1) AS "passageCount"
    FROM begun JOIN transcripts AS t ON t.id = $2 GROUP BY t.id`,
};

/** Counts a try, and lets no other instance begin one for its time. Undefined if another instance has begun one. */
export const beginTry = async (sql: Sql, { accountIds, transcriptId }: Unindexed): Promise<Try | undefined> =>
  (await sql<Try>(BEGIN, [accountIds, transcriptId, TRY_SECONDS]))[0];

/** The captions of transcript $1 are still those of $2. */
const IS_CURRENT = 'EXISTS (SELECT FROM transcripts WHERE id = $1 AND object_key = $2)';

const SAVE = {
  name: 'library-save',
  text: `
    INSERT INTO passages (transcript_id, position, start_ms, end_ms, text, captions, words)
    SELECT $1, position, "startMs", "endMs", text, captions, vector::tsvector
    FROM json_to_recordset($3) AS p (position int, "startMs" int, "endMs" int, text text, captions int[], vector text)
    WHERE ${IS_CURRENT} ON CONFLICT DO NOTHING`,
};

/** A passage with its lexemes as a `tsvector`. */
export type StoredPassage = Omit<IndexedPassage, 'tokens'> & { readonly vector: string };

/** Saves some passages of a transcript, for all accounts. */
export const savePassages = async (
  sql: Sql,
  { transcriptId, cuesKey }: Try,
  passages: readonly StoredPassage[],
): Promise<void> => {
  // A text, because the driver takes longer to write lists.
  await sql(SAVE, [transcriptId, cuesKey, JSON.stringify(passages)]);
};

const INDEX = {
  name: 'library-index',
  text: `
    UPDATE library_entries AS e
    SET index_at = now(), index_tries = 0, dictionary = $4, passage_count = (SELECT count(*) FROM passages AS p WHERE p.transcript_id = $1),
      words = library_keys(e.account_id, $4, coalesce(string_to_array($5, ' '),
        ARRAY(SELECT DISTINCT unnest(tsvector_to_array(p.words)) FROM passages AS p WHERE p.transcript_id = $1)))
    WHERE e.account_id = $3 AND e.transcript_id = $1 AND e.words IS NULL AND ${IS_CURRENT}`,
};

/** Indexes a transcript for an account that has it. If no lexemes are given, they are those of the saved passages. */
export const indexEntry = async (
  sql: Sql,
  { transcriptId, cuesKey, languageCode }: Try,
  accountId: string,
  lexemes: ReadonlySet<string> | null,
): Promise<void> => {
  // No lexeme has a space.
  const words = lexemes && [...lexemes].join(' ');
  await sql(INDEX, [transcriptId, cuesKey, accountId, dictionaryOf(languageCode), words]);
};

const POSTPONE = {
  name: 'library-postpone',
  text: `
    UPDATE library_entries SET index_tries = index_tries - 1, index_at = now() + $3 * interval '1 second'
    WHERE account_id = ANY ($1::uuid[]) AND transcript_id = $2 AND words IS NULL`,
};

/** Lets a try not count. */
export const postponeTry = async (
  sql: Sql,
  { accountIds, transcriptId }: Unindexed,
  seconds: number,
): Promise<void> => {
  await sql(POSTPONE, [accountIds, transcriptId, seconds]);
};
