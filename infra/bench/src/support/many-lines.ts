import { randomUUID } from 'node:crypto';
import type { Servers } from '@tds/local';
import { queryAs } from './databases.ts';

const LINES = `
  INSERT INTO lines (id, lane, account_id, turn, in_line)
  SELECT gen_random_uuid(), 1, ($1::uuid[])[1 + n % cardinality($1::uuid[])], now(), true FROM generate_series(1, $2::integer) AS n`;
const TURNS = `
  INSERT INTO turns (lane, account_id, turn, in_line) SELECT 1, id, now(), true FROM unnest($1::uuid[]) AS id`;
const ROWS = `
  INSERT INTO operations (id, lane, line_id, position, account_id, video_id, language, fallback, format, state, price)
  SELECT gen_random_uuid(), 1, l.id, position, l.account_id, 'load' || lpad(($2 + l.n * $1 + position)::text, 7, '0'), 'en', true, 'srt',
    'ready', 0
  FROM (SELECT *, row_number() OVER () - 1 AS n FROM lines WHERE account_id = ANY ($3::uuid[])) AS l
  CROSS JOIN generate_series(0, $1::integer - 1) AS position`;

/** Writes rows of jobs that wait for their turn. They cost nothing, so the ledger does not affect the measurement. */
export const fillLines = async (
  servers: Servers,
  many: Record<'accounts' | 'jobs' | 'rows' | 'firstVideo', number>,
): Promise<void> => {
  const accounts = Array.from({ length: many.accounts }, () => randomUUID());
  const fill = (sql: string, ...values: unknown[]) => queryAs(servers, 'transcript-fetcher', sql, values);
  await fill(LINES, accounts, many.jobs);
  await fill(ROWS, many.rows, many.firstVideo, accounts);
  await fill('ANALYZE operations, lines');
  await fill(TURNS, accounts);
};

/** Rows that are left would be fetched beside the benchmarks that follow. */
export const deleteLines = async (servers: Servers): Promise<void> => {
  await queryAs(servers, 'transcript-fetcher', 'TRUNCATE operations, lines, turns CASCADE');
};

const PAUSED = `
  WITH job AS (
    INSERT INTO jobs (id, account_id, tier, status, pause_reason, paused_since, look_at, due_at, source_kind, contents, is_listed, format,
      language, fallback, metadata, version, created_at)
    SELECT gen_random_uuid(), gen_random_uuid(), 'paid', 'paused', 'insufficient_credits', now(), now() + interval '1 hour',
      now() + interval '1 hour', 'video_ids', 'all', true, 'srt', 'en', true, '{}', 1, now()
    FROM generate_series(1, $1::integer) RETURNING id)
  INSERT INTO job_rows (job_id, position, video_id) SELECT id, 0, 'load0000001' FROM job`;

export const addPausedJobs = async (servers: Servers, count: number): Promise<void> => {
  await queryAs(servers, 'bulk-orchestrator', PAUSED, [count]);
  await queryAs(servers, 'bulk-orchestrator', 'VACUUM ANALYZE jobs, job_rows');
};
