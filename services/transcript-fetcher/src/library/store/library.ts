import { onlyRow, type Sql } from '@tds/base';
import { type CachedRead, type LibraryTranscript, MAX_LIBRARY_TRANSCRIPTS } from '@tds/contracts';
import type { Database, Db } from '../../store/database.ts';
import { languagePrefixes } from '../domain/dictionaries.ts';

const RECORD = `
  WITH known AS MATERIALIZED (
    SELECT r.*, t.id FROM jsonb_to_recordset($1) AS r ("accountId" uuid, "videoId" char(11), language text, kind text, translated boolean)
    LEFT JOIN transcripts AS t ON t.video_id = r."videoId" AND t.language_code = r.language AND t.kind = r.kind
      AND t.translated = r.translated AND t.is_current
  )
  SELECT save_received(jsonb_agg(jsonb_build_object('account_id', "accountId", 'transcript_id', id))),
    jsonb_agg(known) FILTER (WHERE id IS NULL) AS lost FROM known`;

type LostRead = Pick<CachedRead, 'accountId' | 'videoId' | 'language'>;

/** Notes transcripts that gateways have served from their caches. Returns those that this database does not know: it was restored. */
export const saveReads = async (sql: Sql, reads: readonly CachedRead[]): Promise<readonly LostRead[]> =>
  (await sql<{ lost: LostRead[] | null }>(RECORD, [JSON.stringify(reads)]))[0]?.lost ?? [];

const MISSING_ENTRIES = `
  SELECT $3 > (SELECT count(*) FROM library_jobs WHERE job_id = $1)
    AND NOT EXISTS (SELECT FROM library_removals WHERE id IN ($1, $2))
    AND $4 > (SELECT count(*) FROM library_entries WHERE account_id = $2) AS lacks`;

type JobDeliveries = { readonly jobId: string; readonly accountId: string; readonly delivered: number };

/** Whether a job has delivered more than the library knows, unless account or job were removed, or the library is full and lets old ones go. */
export const isMissingEntries = async (
  sql: Sql,
  { jobId, accountId, delivered }: JobDeliveries,
  maxEntries: number = MAX_LIBRARY_TRANSCRIPTS,
): Promise<boolean> =>
  (await sql<{ lacks: boolean }>(MISSING_ENTRIES, [jobId, accountId, delivered, maxEntries]))[0]?.lacks ===
  true;

/** Which of an account's transcripts a query means. */
export type LibrarySelection = {
  readonly accountId: string;
  readonly jobId?: string | undefined;
  readonly videoId?: string | undefined;
  readonly language?: string | undefined;
};

/** Conditions on an entry `e`: $1 is the account, $2 the languages, $3 the job and $4 the video; null is any. */
export const IS_OF_LANGUAGE = `($2::text[] IS NULL OR EXISTS (
  SELECT FROM unnest($2::text[]) AS l (tag) WHERE lower(e.language_code) = tag OR starts_with(lower(e.language_code), tag || '-')))`;
export const IS_CHOSEN = `${IS_OF_LANGUAGE}
  AND ($3::uuid IS NULL OR e.transcript_id IN (SELECT transcript_id FROM library_jobs WHERE job_id = $3 AND account_id = $1))
  AND ($4::char(11) IS NULL OR e.transcript_id IN (SELECT id FROM transcripts WHERE video_id = $4))`;

/** The values of $1 to $4. */
export const selectionValues = ({ accountId, jobId, videoId, language }: LibrarySelection): unknown[] => [
  accountId,
  language === undefined ? null : languagePrefixes(language),
  jobId ?? null,
  videoId ?? null,
];

/** The public facts of a transcript `t`, as the fields of a JSON object. */
export const transcriptFacts = (receivedAt: string): string => `
  'video_id', t.video_id, 'title', t.video -> 'title', 'channel_id', t.video -> 'channel_id',
  'channel_title', t.video -> 'channel_title', 'published_at', t.video -> 'published_at', 'duration', t.video -> 'duration',
  'language', t.language_code, 'kind', t.kind, 'translated', t.translated,
  'received_at', to_char(${receivedAt} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export type Page = { readonly limit: number; readonly offset: number; readonly after?: string | undefined };

/** The cursor of a row that has a time and an id, and whether a row stands in front of the one behind cursor `after`, newest first. */
export const cursorOf = (at: string, id: string): string =>
  `floor(extract(epoch FROM ${at}) * 1000)::bigint || '_' || ${id}`;
export const isBefore = (at: string, id: string, after: string): string => `(
  ${at} > to_timestamp(split_part(${after}, '_', 1)::bigint / 1000.0)
  OR ${at} = to_timestamp(split_part(${after}, '_', 1)::bigint / 1000.0) AND ${id} <= split_part(${after}, '_', 2)::uuid)`;

const LIST = `
  WITH chosen AS MATERIALIZED (
    SELECT transcript_id, received_at FROM library_entries AS e WHERE e.account_id = $1 AND ${IS_CHOSEN}
  ), first AS MATERIALIZED (
    SELECT CASE WHEN $7::text IS NULL THEN $6
      ELSE (SELECT count(*) FROM chosen WHERE ${isBefore('received_at', 'transcript_id', '$7::text')}) END::int AS n
  ), shown AS (
    SELECT * FROM chosen ORDER BY received_at DESC, transcript_id LIMIT $5 OFFSET (SELECT n FROM first)
  )
  SELECT (SELECT count(*)::int FROM chosen) AS total, (SELECT n FROM first) AS offset,
    ARRAY(SELECT ${cursorOf('received_at', 'transcript_id')} FROM shown ORDER BY received_at DESC, transcript_id) AS cursors, (
    SELECT coalesce(jsonb_agg(jsonb_build_object(${transcriptFacts('s.received_at')}) ORDER BY s.received_at DESC, s.transcript_id), '[]')
    FROM shown AS s JOIN transcripts AS t ON t.id = s.transcript_id) AS transcripts`;

type EntryPage = {
  readonly total: number;
  readonly offset: number;
  readonly cursors: string[];
  readonly transcripts: LibraryTranscript[];
};

/** A page of what an account has received, newest first. */
export const listEntries = async (
  sql: Sql,
  { limit, offset, after, ...selection }: LibrarySelection & Page,
): Promise<EntryPage> =>
  onlyRow(await sql(LIST, [...selectionValues(selection), limit, offset, after ?? null]));

/** What is known of the monitors of one job, or of one account. */
const removeWatched = async (tx: Db, where: { readonly jobId: string } | { readonly accountId: string }) => {
  await tx.watchedJob.deleteMany({ where });
  await tx.unmatchedDelivery.deleteMany({ where });
  await tx.wordMatch.deleteMany({ where });
};

const recordRemoval = (tx: Db, id: string): Promise<number> =>
  tx.$executeRaw`INSERT INTO library_removals (id) VALUES (${id}::uuid) ON CONFLICT DO NOTHING`;

/** Removes the library of a closed account, and its links. */
export const removeAccount = async (tx: Db, accountId: string): Promise<void> => {
  await recordRemoval(tx, accountId);
  await removeWatched(tx, { accountId });
  await tx.libraryJob.deleteMany({ where: { accountId } });
  await tx.libraryEntry.deleteMany({ where: { accountId } });
  await tx.link.deleteMany({ where: { accountId } });
  await tx.searchedLibrary.deleteMany({ where: { accountId } });
};

/**
 * Removes an erased job, and what came by it alone. The entries are locked before the last statement looks for other jobs of them, so that it
 * sees those that were saved meanwhile.
 */
export const removeJob = async (tx: Db, jobId: string): Promise<void> => {
  await recordRemoval(tx, jobId);
  await removeWatched(tx, { jobId });
  const jobRows = await tx.$queryRaw<{ account_id: string; transcript_id: string }[]>`
    DELETE FROM library_jobs WHERE job_id = ${jobId}::uuid RETURNING account_id, transcript_id`;
  const accounts = jobRows.map(({ account_id: id }) => id);
  const transcripts = jobRows.map(({ transcript_id: id }) => id);
  await tx.$executeRaw`
    SELECT FROM library_entries AS e
    JOIN unnest(${accounts}::uuid[], ${transcripts}::uuid[]) AS g (account_id, transcript_id) USING (account_id, transcript_id)
    ORDER BY e.account_id, e.transcript_id FOR UPDATE OF e`;
  await tx.$executeRaw`
    DELETE FROM library_entries AS e USING unnest(${accounts}::uuid[], ${transcripts}::uuid[]) AS g (account_id, transcript_id)
    WHERE e.account_id = g.account_id AND e.transcript_id = g.transcript_id AND NOT e.is_read AND NOT EXISTS (
      SELECT FROM library_jobs AS j WHERE j.account_id = e.account_id AND j.transcript_id = e.transcript_id)`;
};

type RevivedRow = { readonly id: string; readonly has_entries: boolean; readonly has_job: boolean };

/** Accounts and jobs that were removed lately and have rows again: work in hand ended after that. */
export const findRevived = (db: Database): Promise<RevivedRow[]> =>
  db.$queryRaw<RevivedRow[]>`
    SELECT * FROM (
      SELECT id, EXISTS (SELECT FROM library_entries WHERE account_id = r.id)
          OR EXISTS (SELECT FROM word_matches WHERE account_id = r.id) AS has_entries,
        EXISTS (SELECT FROM library_jobs WHERE job_id = r.id) OR EXISTS (SELECT FROM word_matches WHERE job_id = r.id) AS has_job
      FROM library_removals AS r) AS revived
    WHERE has_entries OR has_job`;

/** Deletes up to `limit` entries beyond the newest ones that a library keeps. */
export const trimLibraries = (
  db: Database,
  limit: number,
  maxEntries: number = MAX_LIBRARY_TRANSCRIPTS,
): Promise<number> =>
  db.$executeRaw`
    WITH full_libraries AS (
      SELECT account_id FROM library_entries GROUP BY account_id HAVING count(*) > ${maxEntries}
    ), beyond AS (
      SELECT b.account_id, b.transcript_id FROM full_libraries AS f CROSS JOIN LATERAL (
        SELECT account_id, transcript_id FROM library_entries AS e WHERE e.account_id = f.account_id
        ORDER BY received_at DESC, transcript_id OFFSET ${maxEntries}) AS b LIMIT ${limit}
    ), of_jobs AS (
      DELETE FROM library_jobs AS j USING beyond AS b WHERE j.account_id = b.account_id AND j.transcript_id = b.transcript_id
    )
    DELETE FROM library_entries AS e USING beyond AS b WHERE e.account_id = b.account_id AND e.transcript_id = b.transcript_id`;
