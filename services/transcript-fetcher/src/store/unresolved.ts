import type { Sql } from '@tds/service-kit';
import type { Operation } from '../domain/operation.ts';
import type { Database } from './database.ts';

const PAGE = 200;

/** Before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Some of what is overdue, with ids beyond `after`. */
type Found<Row = { readonly id: string }> = Promise<Row[]>;

/** Operations whose reservation never came about: the process died between opening and reserving. */
export const findStuckReserving = (db: Database, olderThanMs: number, after = FIRST_ID): Found =>
  db.$queryRaw`
    SELECT id FROM operations WHERE state = 'reserving' AND id > ${after}::uuid
      AND created_at < now() - ${olderThanMs} * interval '1 millisecond' ORDER BY id LIMIT ${PAGE}`;

/** Fetches that hold operations beyond the longest time that one may take; those of batches wait for their turn, too. */
export const findOverdueFetches = (
  db: Database,
  { interactiveMs, batchMs }: { readonly interactiveMs: number; readonly batchMs: number },
  after = FIRST_ID,
): Found =>
  db.$queryRaw`
    SELECT DISTINCT fetch_id AS id FROM operations WHERE state = 'fetching' AND fetch_id > ${after}::uuid
      AND created_at < now() - CASE settlement WHEN 'by_caller' THEN ${batchMs}::float8 ELSE ${interactiveMs}::float8 END
        * interval '1 millisecond' ORDER BY fetch_id LIMIT ${PAGE}`;

/** Ended operations whose credits are not resolved although that is due, and whose task is gone; parked ones are not due. */
export const findUnsettled = (
  db: Database,
  olderThanMs: number,
  after = FIRST_ID,
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

/** An ended operation, of which nobody is working on its credit. */
export type ResolvedOperation = Pick<
  Operation,
  'id' | 'accountId' | 'keyId' | 'charge' | 'videoId' | 'language'
> & { readonly settlement: 'settled' | 'released' };

const resolvedColumns = {
  id: true,
  accountId: true,
  keyId: true,
  charge: true,
  settlement: true,
  videoId: true,
  language: true,
} as const;

/** By id, after the given one. */
export const resolvedOperations = (
  db: Database,
  after: string,
  limit: number,
): Promise<ResolvedOperation[]> =>
  db.operation.findMany({
    where: { settlement: { in: ['settled', 'released'] }, id: { gt: after } },
    orderBy: { id: 'asc' },
    take: limit,
    select: resolvedColumns,
  }) as Promise<ResolvedOperation[]>;

/** As an array in one parameter: Prisma would make a statement for every number of ids. */
const KNOWN = { name: 'known-operations', text: 'SELECT id FROM operations WHERE id = ANY ($1::uuid[])' };

/** Those among the ids that are operations, whatever became of them. */
export const knownOperations = async (sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await sql<{ id: string }>(KNOWN, [ids])).map(({ id }) => id));

/** False if it is not settled any more: then it is somebody else's to end. */
export const giveUpCharge = async (db: Database, id: string): Promise<boolean> => {
  const where = { id, settlement: 'settled', charge: { gt: 0 } };
  const { count } = await db.operation.updateMany({ where, data: { settlement: 'uncollected' } });
  return count === 1;
};
