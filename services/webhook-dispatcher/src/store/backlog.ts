import type { Backlog } from '@tds/service-kit';
import type { Database } from './database.ts';

/** Queues in which something could leave and nobody has looked. */
export const overdueQueues = async (db: Database): Promise<Backlog> => {
  const [found] = await db.$queryRaw<Required<Backlog>[]>`
    SELECT count(*)::int AS count,
      coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS "oldestSeconds"
    FROM queues WHERE due_at <= now()`;
  return found ?? { count: 0 };
};
