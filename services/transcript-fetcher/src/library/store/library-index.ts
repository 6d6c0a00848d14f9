import { createSql, inTransaction, onlyRow, type Sql } from '@tds/base';
import type { LibraryIndex } from '@tds/contracts';
import { type Due, defineQueue, FREE_FROM, takeLease } from '@tds/queue';
import type { VideoSnapshot } from '../../domain/transcript.ts';
import type { ConnectionPool } from '../../store/database.ts';
import { dictionaryOf } from '../domain/dictionaries.ts';
import type { IndexedPassage } from '../domain/index-pages.ts';
import { hasKey, STOP_SIGN } from '../domain/library-words.ts';
import { IS_CHOSEN, type LibrarySelection, selectionValues } from './library.ts';
import { INDEX_RULES, IS_OUTDATED } from './outdated-entries.ts';

/** An entry `e` that waits for its index: of a library that nobody has searched, none does. */
const WAITS = `(words IS NULL AND EXISTS (SELECT FROM searched_libraries AS s WHERE s.account_id = e.account_id))`;

/** The leases of the tries to index a transcript. After them it is left without words, until its captions change. */
export const TRY_MS = [60_000, 600_000, 3_600_000];

/** Accounts of one try: as many as its lease is long enough for. */
export const MAX_ACCOUNTS = 500;

type Tried = { readonly tries: number };
/** A transcript that accounts have received, as its claim has it. A try counts before it begins. */
export type Unindexed = Due<Tried>;

const LEASES_MS = [...TRY_MS, 60_000];
/** Rows are claimed by `claimInTurn` alone. */
export const libraryQueue = defineQueue<Tried, Tried>({
  table: 'unindexed_transcripts',
  reads: ['tries'],
  writes: { tries: 'smallint' },
  leaseMs: LEASES_MS,
});

const nextAccount = (before: string) =>
  `(SELECT u.account_id FROM unindexed_transcripts AS u WHERE u.account_id > ${before} ORDER BY u.account_id LIMIT 1)`;
const CLAIM = `
  WITH RECURSIVE accounts AS (
    SELECT ${nextAccount('$1')} AS account_id
    UNION ALL SELECT ${nextAccount('accounts.account_id')} FROM accounts WHERE account_id IS NOT NULL
  )
  UPDATE unindexed_transcripts SET tries = tries + 1, ${takeLease('($2::float8[])[least(tries + 1, cardinality($2::float8[]))]')}
  WHERE id = ANY (ARRAY(
    SELECT newest.id FROM accounts, LATERAL (
      SELECT u.id FROM unindexed_transcripts AS u WHERE u.account_id = accounts.account_id AND ${FREE_FROM} <= now()
      ORDER BY u.account_id, ${FREE_FROM} DESC LIMIT 1 FOR UPDATE SKIP LOCKED) AS newest
    LIMIT 1))
  RETURNING id, tries, account_id AS "accountId", lease_epoch AS epoch, due_at::text AS "dueAt"`;

type InTurn = Unindexed & { readonly accountId: string };

/** The turns begin again before the first account. */
export const FIRST_TURN = '00000000-0000-0000-0000-000000000000';

/**
 * Takes the newest row of the next account after this one that has a free row: accounts take turns, one row each, so none waits
 * for all rows of another.
 */
export const claimInTurn = async (sql: Sql, after: string): Promise<InTurn | undefined> => {
  const [next] = await sql<InTurn>(CLAIM, [after, LEASES_MS]);
  return next ?? (after === FIRST_TURN ? undefined : claimInTurn(sql, FIRST_TURN));
};

/** The accounts that a transcript is indexed for, and what its index is made from. */
export type IndexTask = {
  readonly transcriptId: string;
  readonly accountIds: readonly string[];
  readonly languageCode: string;
  readonly cuesKey: string;
  readonly chapters: VideoSnapshot['chapters'];
  /** Of entries of other accounts that are indexed by the rules of now; null if there is none. */
  readonly passageCount: number | null;
  /** Monitors wait for it. One that comes later keeps the task from its end. */
  readonly isWatched: boolean;
};

const FIND = `
  SELECT id AS "transcriptId", language_code AS "languageCode", object_key AS "cuesKey", video -> 'chapters' AS chapters,
    ARRAY(SELECT account_id FROM library_entries AS e WHERE transcript_id = $1 AND (${WAITS} OR ${IS_OUTDATED}) LIMIT ${MAX_ACCOUNTS}) AS "accountIds",
    (SELECT passage_count FROM library_entries WHERE transcript_id = $1 AND words IS NOT NULL AND NOT (${IS_OUTDATED}) LIMIT 1) AS "passageCount",
    EXISTS (SELECT FROM unmatched_deliveries WHERE transcript_id = $1) AS "isWatched"
  FROM transcripts WHERE id = $1`;

export const findIndexTask = async (sql: Sql, { id }: Unindexed): Promise<IndexTask> => {
  const [task] = await sql<IndexTask>(FIND, [id]);
  if (!task) throw new Error('the transcript is gone');
  return task;
};

/** A passage with its lexemes as a `tsvector`. */
export type StoredPassage = Omit<IndexedPassage, 'tokens' | 'signs'> & { readonly vector: string };

/** The captions of transcript $1 are those of $2, and stay so until the statement has ended. */
const CURRENT = 'current AS MATERIALIZED (SELECT FROM transcripts WHERE id = $1 AND object_key = $2 FOR SHARE)';
const SAVED = `saved AS (
  INSERT INTO passages AS p (transcript_id, position, start_ms, end_ms, text, captions, words)
  SELECT $1, position, "startMs", "endMs", text, captions, vector::tsvector
  FROM json_to_recordset($3) AS p (position int, "startMs" int, "endMs" int, text text, captions int[], vector text)
  WHERE EXISTS (SELECT FROM current)
  ON CONFLICT (transcript_id, position) DO UPDATE SET start_ms = excluded.start_ms, end_ms = excluded.end_ms, text = excluded.text,
    captions = excluded.captions, words = excluded.words)`;
const SAVE = `WITH ${CURRENT}, ${SAVED} SELECT`;

const LEXEMES = `coalesce(string_to_array($6, ' '), ARRAY(
  SELECT DISTINCT lexeme FROM passages AS p, unnest(tsvector_to_array(p.words)) AS lexeme
  WHERE p.transcript_id = $1 AND NOT starts_with(lexeme, '${STOP_SIGN}')))`;
const indexEntries = (passageCount: string) => `
  UPDATE library_entries AS e
  SET dictionary = $5, index_rules = ${INDEX_RULES}, passage_count = ${passageCount}, words = library_keys(
    p_account_id => e.account_id, p_dictionary => $5, p_lexemes => ${LEXEMES}
  )
  WHERE e.account_id = ANY ($4) AND e.transcript_id = $1 AND (words IS NULL OR ${IS_OUTDATED}) AND EXISTS (SELECT FROM current)`;
const SAVE_LAST = `
  WITH ${CURRENT}, ${SAVED}, gone AS (
    DELETE FROM passages WHERE transcript_id = $1 AND position >= $7 AND EXISTS (SELECT FROM current)
  ) ${indexEntries('$7')}`;
const INDEX = `WITH ${CURRENT} ${indexEntries('coalesce($3::int, (SELECT count(*) FROM passages AS p WHERE p.transcript_id = $1))')}`;

/** Keys that are saved in one statement. */
const MAX_KEYS = 100_000;

/** No lexeme has a space. */
const toWords = (lexemes: ReadonlySet<string>): string => [...lexemes].filter(hasKey).join(' ');

/**
 * Replaces the passages of a transcript, given in pages, and indexes it for accounts that have it: together for as many as have a few keys, so
 * that each of their queries finds it by the rules of before or of now.
 */
export const saveIndex = async (
  { sql: single, pool }: { readonly sql: Sql; readonly pool: ConnectionPool },
  task: IndexTask,
  pages: readonly (readonly StoredPassage[])[],
  lexemes: ReadonlySet<string>,
): Promise<void> => {
  const { transcriptId, cuesKey, accountIds, languageCode } = task;
  const together = Math.max(1, Math.floor(MAX_KEYS / (lexemes.size + 1)));
  const entries = [accountIds.slice(0, together), dictionaryOf(languageCode), toWords(lexemes)];
  const save = async (sql: Sql) => {
    // A text, because the driver takes longer to write lists.
    for (const page of pages.slice(0, -1)) await sql(SAVE, [transcriptId, cuesKey, JSON.stringify(page)]);
    const last = [transcriptId, cuesKey, JSON.stringify(pages.at(-1) ?? []), ...entries];
    await sql(SAVE_LAST, [...last, pages.flat().length]);
  };
  if (pages.length > 1) await inTransaction(pool, (client) => save(createSql(client)));
  else await save(single);
  for (const accountId of accountIds.slice(together)) await indexEntry(single, task, accountId, lexemes);
};

/** Indexes a transcript for an account that has it. If no lexemes are given, they are those of the saved passages. */
export const indexEntry = async (
  sql: Sql,
  task: IndexTask,
  accountId: string,
  lexemes: ReadonlySet<string> | null,
): Promise<void> => {
  const { transcriptId, cuesKey, languageCode } = task;
  const words = lexemes && toWords(lexemes);
  await sql(INDEX, [transcriptId, cuesKey, null, [accountId], dictionaryOf(languageCode), words]);
};

/** Due in the past, the newest last, because the newest row of an account is claimed first. */
const QUEUE_UNSEARCHABLE = `
  WITH searched AS (
    INSERT INTO searched_libraries (account_id) SELECT $1 WHERE NOT EXISTS (SELECT FROM library_removals WHERE id = $1)
    ON CONFLICT DO NOTHING RETURNING account_id
  ), unsearchable AS MATERIALIZED (
    SELECT transcript_id AS id, now() - row_number() OVER (ORDER BY received_at DESC, transcript_id) * interval '1 microsecond' AS due_at, account_id
    FROM library_entries WHERE account_id = $1 AND words IS NULL
  )
  -- One that waits for the words of monitors does not wait for its index.
  INSERT INTO unindexed_transcripts AS u (id, due_at, account_id) SELECT * FROM unsearchable ORDER BY id
  ON CONFLICT (id) DO UPDATE SET due_at = excluded.due_at, account_id = $1 WHERE u.due_at > now() AND EXISTS (SELECT FROM searched)`;

/** Lets all that an account has received be indexed, the newest first, and what it receives from now on. */
export const queueUnsearchable = async (sql: Sql, accountId: string): Promise<void> => {
  await sql(QUEUE_UNSEARCHABLE, [accountId]);
};

/** A transcript that has been tried in vain, or whose cues are lost, may take days. */
const IS_SOON = `u.tries < 2 AND u.due_at < now() + interval '1 hour'`;
const COUNT_INDEXED = `
  WITH chosen AS MATERIALIZED (
    SELECT transcript_id, words IS NOT NULL AND NOT (${IS_OUTDATED}) AS is_indexed, ${IS_OUTDATED} AS is_outdated
    FROM library_entries AS e WHERE e.account_id = $1 AND ${IS_CHOSEN}
  )
  SELECT count(*)::int AS transcripts, count(*) FILTER (WHERE is_indexed)::int AS indexed, EXISTS (
    SELECT FROM chosen JOIN unindexed_transcripts AS u ON u.id = transcript_id WHERE NOT is_indexed AND ${IS_SOON}) AS is_growing,
    count(*) FILTER (WHERE is_outdated)::int AS outdated
  FROM chosen`;

/** Of what is not indexed, so many are found by the rules of before. */
type Indexed = LibraryIndex & { readonly outdated: number };

/** How much of the chosen transcripts searches find. */
export const countIndexed = async (sql: Sql, selection: LibrarySelection): Promise<Indexed> =>
  onlyRow(await sql<Indexed>(COUNT_INDEXED, selectionValues(selection)));

/** A delivery that was committed while its account searched for the first time was seen by neither; it is over a minute later. */
const QUEUE_MISSED = `
  WITH searched AS (
    UPDATE searched_libraries SET first_searched_at = NULL WHERE first_searched_at < now() - interval '1 minute' RETURNING account_id
  )
  INSERT INTO unindexed_transcripts (id, account_id)
  SELECT DISTINCT ON (transcript_id) transcript_id, account_id FROM searched JOIN library_entries USING (account_id)
  WHERE words IS NULL ORDER BY transcript_id
  ON CONFLICT (id) DO NOTHING`;

/** Queues what the first searches of accounts have missed, once for each account. Resolves to how many transcripts. */
export const queueMissed = async (pool: ConnectionPool): Promise<number> =>
  (await pool.query(QUEUE_MISSED)).rowCount ?? 0;

const COMPLETE = `
  DELETE FROM unindexed_transcripts WHERE id = $1 AND lease_epoch = $2 AND due_at = $3
    AND NOT EXISTS (SELECT FROM library_entries AS e WHERE transcript_id = $1 AND ${WAITS})
    AND NOT EXISTS (SELECT FROM unmatched_deliveries WHERE transcript_id = $1)
  RETURNING id`;

/** Ends a try. The transcript is due again: at once if accounts wait for it that the try did not know, else when its monitors should have matched it. */
export const completeIndexTask = async (
  pool: ConnectionPool,
  claimed: Unindexed,
  nextInMs: number,
): Promise<void> => {
  const completed = await createSql(pool)(COMPLETE, [claimed.id, claimed.epoch, claimed.dueAt]);
  if (completed.length === 0) await libraryQueue.save(pool, [{ ...claimed, nextInMs, changes: { tries: 0 } }]);
};
