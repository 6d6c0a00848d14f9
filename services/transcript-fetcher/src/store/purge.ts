import type { Database } from './database.ts';

type Age = { readonly olderThanDays: number };

/** Forgets up to `limit` resolved operations of the past, oldest first; answers how many. */
export const purgeOperations = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM operations WHERE id IN (
      SELECT id FROM operations WHERE settlement <> 'pending' AND state IN ('delivered', 'failed')
        AND created_at < now() - ${olderThanDays} * interval '1 day'
      ORDER BY created_at LIMIT ${limit})`;

/** Forgets up to `limit` ended fetches of the past that no operation points to, oldest first; answers how many. */
export const purgeFetches = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM fetches WHERE id IN (
      SELECT id FROM fetches f WHERE state <> 'open' AND created_at < now() - ${olderThanDays} * interval '1 day'
        AND NOT EXISTS (SELECT FROM operations o WHERE o.fetch_id = f.id)
      ORDER BY created_at LIMIT ${limit})`;

/** Forgets up to `limit` counts of past days; answers how many. */
export const purgeColdCounts = (db: Database, { olderThanDays }: Age, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM cold_counts WHERE (scope, day) IN (
      SELECT scope, day FROM cold_counts WHERE day < (now() AT TIME ZONE 'UTC')::date - ${olderThanDays}::integer
      LIMIT ${limit})`;
