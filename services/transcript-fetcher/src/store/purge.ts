import type { Database } from './database.ts';

type Age = { readonly olderThanDays: number };

/** Forgets up to `limit` operations that ended in the past, oldest first; answers how many. */
export const purgeOperations = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM operations WHERE id IN (
      SELECT id FROM operations WHERE created_at < now() - ${olderThanDays} * interval '1 day'
        AND ended_at < now() - ${olderThanDays} * interval '1 day'
      ORDER BY created_at LIMIT ${limit})`;

/** Forgets up to `limit` ended fetches of the past that no operation points to, oldest first; answers how many. */
export const purgeFetches = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM fetches WHERE id IN (
      SELECT id FROM fetches f WHERE state <> 'open' AND begun_at < now() - ${olderThanDays} * interval '1 day'
        AND NOT EXISTS (SELECT FROM operations o WHERE o.fetch_id = f.id)
      ORDER BY begun_at LIMIT ${limit})`;

/** Forgets up to `limit` lines of the past that have no row any more, with their rounds; answers how many. */
export const purgeLines = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM lines WHERE id IN (
      SELECT id FROM lines l WHERE NOT in_line AND created_at < now() - ${olderThanDays} * interval '1 day'
        AND NOT EXISTS (SELECT FROM operations o WHERE o.line_id = l.id)
      ORDER BY created_at LIMIT ${limit})`;

/** Forgets up to `limit` counts of past days; answers how many. */
export const purgeColdCounts = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM cold_counts WHERE (scope, day) IN (
      SELECT scope, day FROM cold_counts WHERE day < (now() AT TIME ZONE 'UTC')::date - ${olderThanDays}::integer
      LIMIT ${limit})`;

/** Forgets up to `limit` accounts that have had no turn for long and wait for none: one that comes back stands in line as a new one. */
export const purgeTurns = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM turns WHERE (lane, account_id) IN (
      SELECT lane, account_id FROM turns WHERE NOT in_line AND turn < now() - ${olderThanDays} * interval '1 day'
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;

/** Forgets up to `limit` counts of bytes that are of no day that still counts; answers how many. */
export const purgeProxySpending = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM proxy_spending WHERE scope IN (
      SELECT scope FROM proxy_spending WHERE day < (now() AT TIME ZONE 'UTC')::date - ${olderThanDays}::integer
      LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;

/** Forgets up to `limit` languages that led nowhere, and have not been believed for long; answers how many. */
export const purgeSelections = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM selections WHERE (video_id, language) IN (
      SELECT video_id, language FROM selections WHERE transcript_id IS NULL
        AND expires_at < now() - ${olderThanDays} * interval '1 day' LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;

/** Forgets up to `limit` videos of which only a fact is known that has not been believed for long; answers how many. */
export const purgeVideos = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM videos WHERE id IN (
      SELECT id FROM videos AS v WHERE fact_expires_at < now() - ${olderThanDays} * interval '1 day'
        AND NOT EXISTS (SELECT FROM transcripts AS t WHERE t.video_id = v.id)
        AND NOT EXISTS (SELECT FROM selections AS s WHERE s.video_id = v.id)
      ORDER BY fact_expires_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)`;
