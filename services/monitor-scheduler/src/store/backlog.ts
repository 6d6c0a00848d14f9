import type { Backlog } from '@tds/service-kit';
import type { Pool } from './database.ts';

const overdueIn = async (pool: Pool, table: 'feeds' | 'monitors' | 'errands'): Promise<Backlog> => {
  const { rows } = await pool.query<Required<Backlog>>(`
    SELECT count(*)::int AS count,
      coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS "oldestSeconds"
    FROM ${table} WHERE greatest(due_at, lease_until) <= now()`);
  return rows[0] ?? { count: 0 };
};

/** Sources that are to be read, and that nobody reads. */
export const overdueFeeds = (pool: Pool): Promise<Backlog> => overdueIn(pool, 'feeds');

/** Monitors that are to ask other services, and that nobody runs the errand of. */
export const overdueErrands = (pool: Pool): Promise<Backlog> => overdueIn(pool, 'errands');

/** Monitors whose turn it is, and that nobody serves. */
export const overdueTurns = (pool: Pool): Promise<Backlog> => overdueIn(pool, 'monitors');
