import type { Sql } from '@tds/base';
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

const INDEX = {
  name: 'library-index',
  text: `
    UPDATE library_entries AS e SET dictionary = $3, passage_count = (SELECT count(*) FROM passages AS p WHERE p.transcript_id = $2),
      words = ARRAY(
        SELECT library_key(e.account_id, $3, lexeme)
        FROM (SELECT DISTINCT unnest(tsvector_to_array(p.words)) AS lexeme FROM passages AS p WHERE p.transcript_id = $2) AS lexemes)
    WHERE e.account_id = ANY ($1::uuid[]) AND e.transcript_id = $2 AND e.words IS NULL`,
};

/** Indexes the passages of a transcript for accounts that have it. An entry that is gone stays gone. */
export const indexEntries = async (
  sql: Sql,
  { accountIds, transcriptId }: Pick<Unindexed, 'accountIds' | 'transcriptId'>,
  dictionary: string,
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
