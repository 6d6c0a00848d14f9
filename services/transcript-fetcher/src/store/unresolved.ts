import type { Database } from './database.ts';

const PAGE = 200;

/** Before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Some of what is overdue, with ids beyond `after`. */
type Found<Row = { readonly id: string }> = Promise<Row[]>;

/** Operations whose reservation never came about: the process died between opening and reserving. */
export const findStuckReserving = (db: Database, olderThanMs: number, after: string): Found =>
  db.$queryRaw`
    SELECT id FROM operations WHERE state = 'reserving' AND id > ${after}::uuid
      AND created_at < now() - ${olderThanMs} * interval '1 millisecond' ORDER BY id LIMIT ${PAGE}`;

/** Fetches that hold operations beyond the longest time that one may take. */
export const findOverdueFetches = (db: Database, olderThanMs: number, after: string): Found =>
  db.$queryRaw`
    SELECT DISTINCT fetch_id AS id FROM operations WHERE state = 'fetching' AND fetch_id > ${after}::uuid
      AND created_at < now() - ${olderThanMs} * interval '1 millisecond' ORDER BY fetch_id LIMIT ${PAGE}`;

/** Ended operations whose credits are not resolved although that is due, and whose task is gone; parked ones are not due. */
export const findUnsettled = (
  db: Database,
  olderThanMs: number,
  after: string,
): Found<{ id: string; charge: number }> =>
  db.$queryRaw`
    WITH open AS MATERIALIZED (
      SELECT payload ->> 'operationId' AS id FROM messaging.tasks WHERE name = 'settle-operation' AND state = 'ready'
    )
    SELECT id, charge FROM operations o
    WHERE settlement = 'pending' AND state IN ('delivered', 'failed') AND parked_at IS NULL AND id > ${after}::uuid
      AND ended_at < now() - ${olderThanMs} * interval '1 millisecond'
      AND NOT EXISTS (SELECT FROM open WHERE open.id = o.id::text)
    ORDER BY id LIMIT ${PAGE}`;

/** Leaves the settlement of an operation to people: nothing asks for it any more until its dead letter is replayed. */
export async function parkSettlement(tx: Pick<Database, '$executeRaw'>, id: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE operations SET parked_at = now() WHERE id = ${id}::uuid AND settlement = 'pending'`;
}
