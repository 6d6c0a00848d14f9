import type { Backlog } from '@tds/service-kit';
import type { Database } from './database.ts';

/** Jobs that are due and that nobody has taken up. */
export const overdueJobs = async (db: Database): Promise<Backlog> => {
  const [found] = await db.$queryRaw<Required<Backlog>[]>`
    SELECT count(*)::int AS count,
      coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS "oldestSeconds"
    FROM jobs WHERE due_at <= now()`;
  return found ?? { count: 0 };
};
