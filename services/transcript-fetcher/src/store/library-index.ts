import type { Sql } from '@tds/base';
import type { CaptionStart } from '@tds/transcript-format';
import type { VideoSnapshot } from '../domain/transcript.ts';

/** When the first entry may be indexed. */
export const FIRST_UNINDEXED =
  'SELECT index_at FROM library_entries WHERE words IS NULL ORDER BY index_at LIMIT 1';

export type Unindexed = {
  readonly transcriptId: string;
  readonly accountIds: readonly string[];
  readonly languageCode: string;
  readonly cuesKey: string;
  readonly chapters: VideoSnapshot['chapters'] | null;
  /** Another account had it before. */
  readonly hasPassages: boolean;
};

const FIND = {
  name: 'library-unindexed',
  text: `
    WITH due AS (
      SELECT account_id, transcript_id FROM library_entries WHERE words IS NULL AND index_at <= now() ORDER BY index_at LIMIT $1
    ), grouped AS (
      SELECT transcript_id, array_agg(account_id) AS accounts FROM due GROUP BY transcript_id
    )
    SELECT t.id AS "transcriptId", g.accounts AS "accountIds", t.language_code AS "languageCode", t.object_key AS "cuesKey",
      t.video -> 'chapters' AS chapters, EXISTS (SELECT FROM passages AS p WHERE p.transcript_id = t.id) AS "hasPassages"
    FROM grouped AS g JOIN transcripts AS t ON t.id = g.transcript_id`,
};

/** Transcripts of entries that wait for their index, those that waited longest, for at most `most` entries. */
export const findUnindexed = (sql: Sql, most: number): Promise<Unindexed[]> => sql<Unindexed>(FIND, [most]);

type IndexedEntries = Pick<Unindexed, 'accountIds' | 'transcriptId'> & { readonly dictionary: string };

/** Of entries that are there and not indexed yet. */
const setWords = (count: string, lexemes: string): string => `
  UPDATE library_entries AS e
  SET dictionary = $3, passage_count = ${count}, words = library_keys(e.account_id, $3, ${lexemes})
  WHERE e.account_id = ANY ($1::uuid[]) AND e.transcript_id = $2 AND e.words IS NULL`;

const SAVE = {
  name: 'library-save',
  text: `
    WITH saved AS (
      INSERT INTO passages (transcript_id, position, start_ms, end_ms, text, captions, words)
      SELECT $2, position, "startMs", "endMs", text, captions, vector::tsvector
      FROM json_to_recordset($4) AS p (position int, "startMs" int, "endMs" int, text text, captions int[], vector text)
      ON CONFLICT DO NOTHING
    )
    ${setWords('json_array_length($4)', "string_to_array($5, ' ')")}`,
};

export type StoredPassage = {
  readonly position: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
  readonly captions: readonly CaptionStart[];
  /** Its lexemes as a `tsvector`. */
  readonly vector: string;
};

/** Saves the passages of a transcript for all accounts, and indexes them for those that have it. */
export const savePassages = async (
  sql: Sql,
  { accountIds, transcriptId, dictionary }: IndexedEntries,
  { passages, lexemes }: { readonly passages: readonly StoredPassage[]; readonly lexemes: readonly string[] },
): Promise<void> => {
  // Texts, because the driver takes longer to write lists. No lexeme has a space.
  const values = [JSON.stringify(passages), lexemes.join(' ')];
  await sql(SAVE, [accountIds, transcriptId, dictionary, ...values]);
};

const INDEX = {
  name: 'library-index',
  text: setWords(
    '(SELECT count(*) FROM passages AS p WHERE p.transcript_id = $2)',
    `ARRAY(SELECT DISTINCT unnest(tsvector_to_array(p.words)) FROM passages AS p WHERE p.transcript_id = $2)`,
  ),
};

/** Indexes the saved passages of a transcript for accounts that received it later. */
export const indexEntries = async (
  sql: Sql,
  { accountIds, transcriptId, dictionary }: IndexedEntries,
): Promise<void> => {
  await sql(INDEX, [accountIds, transcriptId, dictionary]);
};

const POSTPONE = {
  name: 'library-postpone',
  text: `
    UPDATE library_entries SET index_at = now() + $3 * interval '1 second'
    WHERE account_id = ANY ($1::uuid[]) AND transcript_id = $2 AND words IS NULL`,
};

export const postponeEntries = async (
  sql: Sql,
  { accountIds, transcriptId }: Pick<Unindexed, 'accountIds' | 'transcriptId'>,
  seconds: number,
): Promise<void> => {
  await sql(POSTPONE, [accountIds, transcriptId, seconds]);
};
