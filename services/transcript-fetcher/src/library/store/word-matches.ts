import { onlyRow, type Sql } from '@tds/base';
import {
  MAX_MATCH_PASSAGES,
  MAX_TRIED_TRANSCRIPTS,
  type MonitorMatch,
  type ReplyOf,
  type RequestOf,
  type transcriptFetcher,
} from '@tds/contracts';
import type { Db } from '../../store/database.ts';
import type { MatchedPassage } from '../domain/library-match.ts';
import type { LexemeQuery } from '../domain/library-query.ts';
import { cursorOf, isBefore, type Page } from './library.ts';
import { matchesIn, PLACES } from './library-search.ts';

/** A job that a monitor began. */
type WatchedJob = { readonly jobId: string; readonly accountId: string; readonly monitorId: string };

const WATCH =
  'INSERT INTO watched_jobs (job_id, account_id, monitor_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING';

/** Before the job opens rows, so that what is delivered to it is matched. */
export const saveWatchedJob = async (sql: Sql, { jobId, accountId, monitorId }: WatchedJob): Promise<void> => {
  await sql(WATCH, [jobId, accountId, monitorId]);
};

const UNMATCHED = `
  SELECT monitor_id AS "monitorId", account_id AS "accountId", job_id AS "jobId" FROM unmatched_deliveries
  WHERE transcript_id = $1 AND ($2::text[] IS NULL OR monitor_id = ANY ($2)) ORDER BY monitor_id`;

/** The jobs to which a transcript was delivered that is not matched yet, one of each monitor; of all monitors, or of these. */
export const findUnmatched = (
  sql: Sql,
  transcriptId: string,
  monitorIds: readonly string[] | null = null,
): Promise<WatchedJob[]> => sql(UNMATCHED, [transcriptId, monitorIds]);

const VIDEO = `json_build_object('video_id', t.video_id, 'title', t.video -> 'title', 'published_at', t.video -> 'published_at',
  'channel_title', t.video -> 'channel_title')`;

/** A transcript in which words are looked for. */
export type MatchedTranscript = {
  readonly id: string;
  readonly language: string;
  readonly translated: boolean;
  readonly video: MonitorMatch['video'];
};

const TRANSCRIPT = `SELECT id, language_code AS language, translated, ${VIDEO} AS video FROM transcripts AS t WHERE id = $1`;

export const findTranscript = async (sql: Sql, id: string): Promise<MatchedTranscript | null> =>
  (await sql<MatchedTranscript>(TRANSCRIPT, [id]))[0] ?? null;

/** Newer entries than these are all that is tried. */
const MAX_ENTRIES = 1_000;
const NEWEST = `
  SELECT t.id, t.language_code AS language, t.translated, ${VIDEO} AS video
  FROM (
    SELECT transcript_id, received_at FROM library_entries WHERE account_id = $1 AND words IS NOT NULL
    ORDER BY received_at DESC, transcript_id LIMIT ${MAX_ENTRIES}) AS e
  JOIN transcripts AS t ON t.id = e.transcript_id
  WHERE ($2::text IS NULL OR t.video ->> 'channel_id' = $2) AND ($3::text IS NULL OR EXISTS (
    SELECT FROM watched_jobs AS w JOIN library_jobs AS j USING (job_id)
    WHERE w.account_id = $1 AND w.monitor_id = $3 AND j.account_id = $1 AND j.transcript_id = t.id))
  ORDER BY e.received_at DESC, e.transcript_id LIMIT ${MAX_TRIED_TRANSCRIPTS}`;

type TriedSelection = Omit<RequestOf<typeof transcriptFetcher.tryWords>, 'words'>;

/** The account's newest indexed transcripts, of a channel or of a monitor's jobs. */
export const findNewest = (
  sql: Sql,
  { accountId, channelId, monitorId }: TriedSelection,
): Promise<MatchedTranscript[]> => sql(NEWEST, [accountId, channelId, monitorId]);

const LEXEMES = `SELECT position, array_to_string(tsvector_to_array(words), ' ') AS lexemes FROM passages WHERE transcript_id = $1 ORDER BY position`;

export const findPassageLexemes = (
  sql: Sql,
  transcriptId: string,
): Promise<{ position: number; lexemes: string }[]> => sql(LEXEMES, [transcriptId]);

/** A query with the passages that may match. */
export type Candidate = LexemeQuery & { readonly positions: readonly number[] };

/** `n` is the index of the query. */
type MatchingPassage = MatchedPassage & { readonly n: number };

/** Each by its key: also a small table is not read whole for each query. Their order is known, so Postgres reads no more than it needs. */
const CANDIDATES = `unnest(w.positions) WITH ORDINALITY AS c (candidate, nth) CROSS JOIN LATERAL (
  SELECT position, words FROM passages WHERE transcript_id = w.transcript_id AND position = c.candidate OFFSET 0) AS candidates WHERE true`;

const MATCH = `
  SELECT w.n::int - 1 AS n, f.start, f.text, f.captions, f.places
  FROM (
    SELECT n, $1::uuid AS transcript_id, ARRAY(SELECT jsonb_array_elements_text(q -> 'positions')::int) AS positions,
      ARRAY(SELECT jsonb_array_elements_text(q -> 'needed')) AS needed, (q ->> 'query')::tsquery AS query,
      (q ->> 'whole')::tsquery AS whole, (q ->> 'begun')::tsquery AS begun
    FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS given (q, n) OFFSET 0) AS w
  CROSS JOIN LATERAL (
    SELECT p.position, (p.start_ms / 1000.0)::float8 AS start, p.text, to_jsonb(p.captions) AS captions, ${PLACES} AS places
    FROM (SELECT w.needed) AS q, (${matchesIn(CANDIDATES, 'nth')}) AS m JOIN passages AS p
      ON p.transcript_id = $1 AND p.position = m.position
    ORDER BY m.at LIMIT ${MAX_MATCH_PASSAGES}) AS f
  ORDER BY w.n, f.position`;

/** The first passages that fit each query, in the order of the queries. */
export const findMatching = (
  sql: Sql,
  transcriptId: string,
  candidates: readonly Candidate[],
): Promise<MatchingPassage[]> => sql(MATCH, [transcriptId, JSON.stringify(candidates)]);

/** A match to be saved. */
export type NewMatch = WatchedJob &
  Pick<MonitorMatch, 'id' | 'query' | 'passages'> & { readonly transcriptId: string };

/** Resolves to the time of those that are new. */
export const insertMatches = async (
  tx: Db,
  matches: readonly NewMatch[],
): Promise<ReadonlyMap<string, Date>> => {
  const rows = await tx.$queryRaw<{ id: string; foundAt: Date }[]>`
    INSERT INTO word_matches (id, account_id, monitor_id, job_id, transcript_id, query, passages)
    SELECT id, "accountId", "monitorId", "jobId", "transcriptId", query, passages
    FROM jsonb_to_recordset(${JSON.stringify(matches)}::jsonb)
      AS m (id uuid, "accountId" uuid, "monitorId" text, "jobId" uuid, "transcriptId" uuid, query text, passages jsonb)
    ORDER BY id ON CONFLICT DO NOTHING RETURNING id, found_at AS "foundAt"`;
  return new Map(rows.map(({ id, foundAt }) => [id, foundAt]));
};

export const deleteUnmatched = async (
  tx: Db,
  transcriptId: string,
  monitorIds: readonly string[],
): Promise<void> => {
  await tx.unmatchedDelivery.deleteMany({ where: { transcriptId, monitorId: { in: [...monitorIds] } } });
};

/** Tries that took too long, after which a transcript waits for the words of a monitor no more. */
const MAX_TRIES = 3;
const TRY = `
  WITH counted AS (UPDATE unmatched_deliveries SET tries = tries + 1 WHERE transcript_id = $1 AND monitor_id = ANY ($2) AND tries < $3)
  DELETE FROM unmatched_deliveries WHERE transcript_id = $1 AND monitor_id = ANY ($2) AND tries >= $3 RETURNING monitor_id`;

/** Resolves to those monitors for whose words the transcript waits no more. */
export const countTry = (sql: Sql, transcriptId: string, monitorIds: readonly string[]): Promise<object[]> =>
  sql(TRY, [transcriptId, monitorIds, MAX_TRIES - 1]);

/** Two statements, because each has an index of its own. */
const listWhere = (condition: string) => `
  WITH first AS MATERIALIZED (
    SELECT CASE WHEN $5::text IS NULL THEN $4 ELSE (
      SELECT count(*) FROM word_matches WHERE account_id = $1 AND ${condition} AND ${isBefore('found_at', 'id', '$5::text')}) END::int AS n
  ), shown AS MATERIALIZED (
    SELECT * FROM word_matches WHERE account_id = $1 AND ${condition} ORDER BY found_at DESC, id LIMIT $3 OFFSET (SELECT n FROM first)
  )
  SELECT (SELECT count(*)::int FROM word_matches WHERE account_id = $1 AND ${condition}) AS total, (SELECT n FROM first) AS offset,
    ARRAY(SELECT ${cursorOf('found_at', 'id')} FROM shown ORDER BY found_at DESC, id) AS cursors, (
    SELECT coalesce(jsonb_agg(jsonb_build_object('id', s.id, 'monitor_id', s.monitor_id, 'query', s.query, 'video', ${VIDEO}, 'language', t.language_code, 'translated', t.translated,
      'passages', s.passages, 'found_at', to_char(s.found_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      ORDER BY s.found_at DESC, s.id), '[]')
    FROM shown AS s JOIN transcripts AS t ON t.id = s.transcript_id) AS matches`;
const LIST = listWhere('monitor_id = $2');
export const LIST_ALL = listWhere('$2::text IS NULL');

type MatchPage = ReplyOf<typeof transcriptFetcher.listAccountMatches>;
type MatchFilter = { readonly accountId: string; readonly monitorId?: string | undefined };

/** Newest first. */
export const listMatches = async (
  sql: Sql,
  { accountId, monitorId, limit, offset, after }: MatchFilter & Page,
): Promise<MatchPage> =>
  onlyRow(
    await sql(monitorId === undefined ? LIST_ALL : LIST, [
      ...[accountId, monitorId ?? null, limit, offset, after ?? null],
    ]),
  );
