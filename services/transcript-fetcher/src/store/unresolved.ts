import type { Database, Tx } from './database.ts';

const BATCH = 200;

/** Operations whose reservation never came about: the process died between opening and reserving. */
export const findStuckReserving = (db: Database, olderThanMs: number): Promise<{ id: string }[]> =>
  db.$queryRaw`
    SELECT id FROM operations WHERE state = 'reserving'
      AND created_at < now() - ${olderThanMs} * interval '1 millisecond' ORDER BY created_at LIMIT ${BATCH}`;

/** Fetches that hold operations beyond the longest time that one may take. */
export const findOverdueFetches = (db: Database, olderThanMs: number): Promise<{ fetch_id: string }[]> =>
  db.$queryRaw`
    SELECT DISTINCT fetch_id FROM operations WHERE state = 'fetching'
      AND created_at < now() - ${olderThanMs} * interval '1 millisecond' LIMIT ${BATCH}`;

/** Ended operations whose credits are not resolved although their task should have done so long ago. */
export const findUnsettled = (db: Database, olderThanMs: number): Promise<{ id: string; charge: number }[]> =>
  db.$queryRaw`
    SELECT id, charge FROM operations WHERE settlement = 'pending' AND state IN ('delivered', 'failed')
      AND ended_at < now() - ${olderThanMs} * interval '1 millisecond' ORDER BY created_at LIMIT ${BATCH}`;

/** Forgets resolved operations and ended fetches of the past; answers how many operations went. */
export async function purgeOperations(tx: Tx, olderThanDays: number): Promise<number> {
  const purged = await tx.$executeRaw`
    DELETE FROM operations WHERE settlement <> 'pending' AND state IN ('delivered', 'failed')
      AND created_at < now() - ${olderThanDays} * interval '1 day'`;
  await tx.$executeRaw`
    DELETE FROM fetches f WHERE state <> 'open' AND created_at < now() - ${olderThanDays} * interval '1 day'
      AND NOT EXISTS (SELECT FROM operations o WHERE o.fetch_id = f.id)`;
  return purged;
}
