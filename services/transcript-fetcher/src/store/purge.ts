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
