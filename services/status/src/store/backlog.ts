import type { Backlog } from '@tds/service-kit';
import type { Db } from './database.ts';

/** Each instance of the fetcher says something at least so often. */
const EVERY_SECONDS = 60;

/** For how long an observation should have come, of any instance. */
export const overdueObservations = async (db: Db): Promise<Backlog> => {
  const [found] = await db.$queryRaw<{ overdue: number }[]>`
    SELECT greatest(extract(epoch FROM now() - max(observed_at)) - ${EVERY_SECONDS}, 0)::float8 AS overdue FROM reports`;
  const oldestSeconds = found?.overdue ?? 0;
  return { count: oldestSeconds > 0 ? 1 : 0, oldestSeconds };
};
