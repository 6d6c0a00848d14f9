import { onlyRow, type Sql } from '@tds/base';
import type { ConnectionPool } from '../../store/database.ts';
import { IS_CHOSEN, type LibrarySelection, selectionValues } from './library.ts';

/** The rules by which words become an index; what was indexed by earlier ones is indexed again. */
const WORD_RULES = 3;
/** With the server's major version: its stemmers change with it. */
export const INDEX_RULES = `(${WORD_RULES} * 100 + current_setting('server_version_num')::int / 10000)`;
export const IS_OUTDATED = `words IS NOT NULL AND index_rules < ${INDEX_RULES}`;

/** Their work takes a tenth of the time of one processor. */
const SPREAD_MS = 100;
const QUEUE_OUTDATED = `
  INSERT INTO unindexed_transcripts (id, due_at)
  SELECT transcript_id, now() + row_number() OVER () * ${SPREAD_MS} * interval '1 millisecond' FROM (
    SELECT DISTINCT transcript_id FROM (
      SELECT transcript_id FROM library_entries
      WHERE ${IS_OUTDATED} AND NOT EXISTS (SELECT FROM unindexed_transcripts WHERE id = transcript_id) LIMIT $1) AS entries) AS outdated
  ON CONFLICT (id) DO NOTHING`;

/** Lets the transcripts of some outdated entries be indexed again, which are found as before until then. */
export const queueOutdated = async (pool: ConnectionPool, limit: number): Promise<number> =>
  (await pool.query(QUEUE_OUTDATED, [limit])).rowCount ?? 0;

/** The work of a second. */
export const MAX_SEARCHED = 100;
/** In the turn of no account, as `queueOutdated` leaves it. */
const IN_NO_TURN = `account_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff'`;
/** Due in the past, the newest last, because the newest row of an account is claimed first. */
const QUEUE_SEARCHED = `
  WITH newest AS MATERIALIZED (
    SELECT transcript_id AS id, received_at FROM library_entries AS e
    WHERE account_id = $1 AND ${IS_OUTDATED} AND ${IS_CHOSEN}
      AND NOT EXISTS (SELECT FROM unindexed_transcripts AS u WHERE u.id = transcript_id AND NOT u.${IN_NO_TURN})
    ORDER BY received_at DESC, transcript_id LIMIT ${MAX_SEARCHED}
  )
  INSERT INTO unindexed_transcripts AS u (id, due_at, account_id)
  SELECT id, now() - row_number() OVER (ORDER BY received_at DESC, id) * interval '1 microsecond', $1 FROM newest ORDER BY id
  ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at, account_id = $1 WHERE u.${IN_NO_TURN}`;

/** Lets the newest outdated entries that a search has chosen be indexed again at once, in the turn of their account. */
export const queueSearched = async (sql: Sql, selection: LibrarySelection): Promise<void> => {
  await sql(QUEUE_SEARCHED, selectionValues(selection));
};

const COUNT = `SELECT count(*)::int AS count FROM library_entries WHERE ${IS_OUTDATED}`;

/** How many entries are still to be indexed again. */
export const countOutdated = async (sql: Sql): Promise<{ readonly count: number }> =>
  onlyRow(await sql(COUNT, []));
