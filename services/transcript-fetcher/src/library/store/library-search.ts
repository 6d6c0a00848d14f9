import { onlyRow } from '@tds/base';
import { type LibraryPassage, MAX_RANKED_PASSAGES } from '@tds/contracts';
import { videoMomentUrl } from '@tds/platform-addresses';
import type { ConnectionPool } from '../../store/database.ts';
import { findMatch, type MatchedPassage } from '../domain/library-match.ts';
import type { LexemeQuery } from '../domain/library-query.ts';
import {
  cursorOf,
  IS_CHOSEN,
  IS_OF_LANGUAGE,
  isBefore,
  type LibrarySelection,
  type Page,
  selectionValues,
  transcriptFacts,
} from './library.ts';
import { inTurnOf } from './limited-time.ts';

/** A search looks through the passages of the newest transcripts with its words, within both bounds. */
const MAX_TRANSCRIPTS = 1_000;
const MAX_PASSAGES = 20_000;

/** The queries of all dictionaries, $5; each transcript has been indexed by one. */
const WANTED = `
  SELECT w.dictionary, w.needed, w.query::tsquery AS query, w.whole::tsquery AS whole, w.begun::tsquery AS begun,
    library_keys(p_account_id => $1, p_dictionary => w.dictionary, p_lexemes => w.keys) AS keys,
    CASE WHEN w."otherKeys" IS NOT NULL THEN library_keys(
      p_account_id => $1, p_dictionary => w.dictionary, p_lexemes => w."otherKeys"
    ) END AS other_keys
  FROM jsonb_to_recordset($5) AS w (dictionary text, needed text[], keys text[], "otherKeys" text[], query text, whole text, begun text)`;

const ENTRY =
  'SELECT account_id, transcript_id, received_at, language_code, passage_count FROM library_entries WHERE';
/**
 * Keys belong to one account, so the index of words alone finds its entries; OFFSET 0 keeps the planner from reading all of them. Stop words have no
 * keys: a query of them alone is looked for in the newest entries.
 */
const BY_WORDS = `
  SELECT e.transcript_id, e.received_at, e.passage_count, w.*
  FROM wanted AS w CROSS JOIN LATERAL (
    ${ENTRY} w.keys <> '{}' AND words @> w.keys
    UNION ALL
    ${ENTRY} words @> w.other_keys AND NOT words @> w.keys
    UNION ALL
    ${ENTRY} w.keys = '{}' AND account_id = $1 AND dictionary = w.dictionary AND words IS NOT NULL OFFSET 0) AS e
  WHERE e.account_id = $1 AND ${IS_OF_LANGUAGE} AND $3::uuid IS NULL AND $4::char(11) IS NULL`;

/** A job or a video is smaller than what has common words. */
const BY_CHOICE = `
  SELECT e.transcript_id, e.received_at, e.passage_count, w.*
  FROM wanted AS w JOIN library_entries AS e USING (dictionary)
  WHERE e.account_id = $1 AND e.words IS NOT NULL AND ${IS_CHOSEN}`;

const PASSAGES = 'passages WHERE transcript_id = w.transcript_id';
/** Passages of `w` with all words, of which some may stand at the begin of the next one: not if that has all of them itself. */
export const matchesIn = (from: string, order = 'position'): string => `
  SELECT position, words, at FROM (
    SELECT position, words, ${order} AS at, words @@ w.whole AS is_whole,
      lead(position) OVER in_order = position + 1 AND lead(words @@ w.whole) OVER in_order AS is_repeated
    FROM ${from} AND words @@ w.query AND words @@ w.begun
    WINDOW in_order AS (ORDER BY ${order})) AS m
  WHERE is_whole OR is_repeated IS NOT TRUE ORDER BY at OFFSET 0`;
/** A rank's bits, which have the order of ranks, then time, transcript and position: the cursor of a hit. */
const CURSOR = `encode(float4send(r.rank), 'hex') || '_' || ${cursorOf('r.received_at', 'r.transcript_id')} || '_' || r.position`;
/** A hit `h` stands in front of the one behind cursor $10. */
const IS_BEFORE = `EXISTS (
  SELECT FROM (SELECT decode(split_part($10, '_', 1), 'hex') AS rank, regexp_replace($10, '^[^_]*_|_[^_]*$', '', 'g') AS entry) AS c
  WHERE float4send(h.rank) > c.rank OR float4send(h.rank) = c.rank AND ${isBefore('h.received_at', 'h.transcript_id', 'c.entry')}
    AND NOT (h.transcript_id = split_part($10, '_', 3)::uuid AND h.position > split_part($10, '_', 4)::int))`;

/** Words of a passage count as much as those of the next one. */
const RANK = `ts_rank_cd('{1, 1, 1, 1}', p.words, w.query)`;

/** Where the wanted words stand in a passage. */
export const PLACES = `(
  SELECT jsonb_object_agg(w.lexeme, w.positions) FROM unnest(p.words) AS w WHERE w.lexeme = ANY (q.needed))`;

const searchText = (entries: string): string => `
  WITH wanted AS MATERIALIZED (${WANTED}), entries AS MATERIALIZED (
    ${entries} ORDER BY received_at DESC, transcript_id LIMIT ${MAX_TRANSCRIPTS + 1}
  ), within AS MATERIALIZED (
    SELECT *, row_number() OVER newest <= ${MAX_TRANSCRIPTS}
      AND coalesce(sum(passage_count) OVER (newest ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) < ${MAX_PASSAGES} AS is_read
    FROM entries WINDOW newest AS (ORDER BY received_at DESC, transcript_id)
  ), candidates AS MATERIALIZED (
    SELECT w.transcript_id, p.position, w.received_at, w.dictionary, ${RANK} AS rank
    FROM (SELECT * FROM within WHERE is_read ORDER BY received_at DESC, transcript_id) AS w CROSS JOIN LATERAL (${matchesIn(PASSAGES)}) AS p
    LIMIT $8 + 1
  ), hits AS MATERIALIZED (
    SELECT * FROM candidates ORDER BY rank DESC, received_at DESC, transcript_id, position LIMIT ${MAX_RANKED_PASSAGES + 1}
  ), first AS MATERIALIZED (
    SELECT CASE WHEN $10::text IS NULL THEN $7 ELSE (SELECT count(*) FROM hits AS h WHERE ${IS_BEFORE}) END::int AS n
  ), ranked AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY rank DESC, received_at DESC, transcript_id, position) AS n FROM hits
  ), shown AS MATERIALIZED (
    SELECT r.* FROM ranked AS r, first WHERE r.n > first.n AND r.n <= least(first.n + $6, $9::int)
  )
  SELECT least((SELECT count(*) FROM hits), $9)::int AS total, (SELECT n FROM first) AS offset,
    ARRAY(SELECT ${CURSOR} FROM shown AS r ORDER BY r.n) AS cursors,
    (SELECT count(*) FROM hits) <= $9 AND NOT EXISTS (SELECT FROM within WHERE NOT is_read) AS is_complete, (
      SELECT coalesce(jsonb_agg(jsonb_build_object(${transcriptFacts('r.received_at')},
        'start', p.start_ms / 1000.0, 'end', p.end_ms / 1000.0, 'text', p.text, 'captions', p.captions,
        'dictionary', r.dictionary, 'places', ${PLACES}) ORDER BY r.n), '[]')
      FROM shown AS r JOIN passages AS p USING (transcript_id, position) JOIN transcripts AS t ON t.id = r.transcript_id
        JOIN wanted AS q ON q.dictionary = r.dictionary) AS results`;

const SEARCH = searchText(BY_WORDS);
const SEARCH_CHOSEN = searchText(BY_CHOICE);

type StoredMatch = Pick<MatchedPassage, 'captions' | 'places'> & { readonly dictionary: string };
type FoundPage = {
  readonly total: number;
  readonly offset: number;
  readonly cursors: string[];
  readonly is_complete: boolean;
  readonly results: readonly (Omit<LibraryPassage, 'match' | 'url'> & StoredMatch)[];
};
export type FoundPassages = Omit<FoundPage, 'results'> & { readonly results: LibraryPassage[] };

/**
 * The passages that fit one of the queries, best first; null if another search of the account is under way. Fails at the deadline of the signal
 * as if the database were away.
 */
export const findPassages = async (
  pool: ConnectionPool,
  selection: LibrarySelection,
  queries: readonly LexemeQuery[],
  { limit, offset, after }: Page,
  signal: AbortSignal,
): Promise<FoundPassages | null> => {
  const isChosen = selection.jobId !== undefined || selection.videoId !== undefined;
  // A rank takes time in proportion to the square of the words. Few passages have many words of a query.
  const maxRanked = Math.ceil(MAX_PASSAGES / Math.max(...queries.map(({ words }) => words)) ** 2);
  const limits = [maxRanked, Math.min(maxRanked, MAX_RANKED_PASSAGES)];
  const values = [
    ...selectionValues(selection),
    JSON.stringify(queries),
    limit,
    offset,
    ...limits,
    after ?? null,
  ];
  const page = await inTurnOf(pool, selection.accountId, signal, async (sql) =>
    onlyRow(await sql<FoundPage>(isChosen ? SEARCH_CHOSEN : SEARCH, values)),
  );
  return (
    page && {
      ...page,
      results: page.results.map(({ dictionary, captions, places, ...passage }) => {
        const { phrases = [] } = queries.find((query) => query.dictionary === dictionary) ?? {};
        const match = findMatch({ ...passage, captions, places }, phrases);
        return { ...passage, match, url: videoMomentUrl(passage.video_id, Math.floor(match.start)) };
      }),
    }
  );
};
