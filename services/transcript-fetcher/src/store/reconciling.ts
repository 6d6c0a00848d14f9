import type { Subject } from '@tds/contracts';
import type { Sql } from '@tds/service-kit';
import type { Database } from './database.ts';

/** An ended operation, of which nobody is working on its credit. */
export type ResolvedOperation = {
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly charge: number;
  readonly settlement: 'settled' | 'released';
  readonly subject: Subject;
};
type Row = {
  id: string;
  account_id: string;
  key_id: string;
  charge: number;
  settlement: string;
  video_id: string;
  language: string;
};

const columns = {
  ...{ id: true, account_id: true, key_id: true, charge: true, settlement: true },
  ...{ video_id: true, language: true },
} as const;

const toResolved = (row: Row): ResolvedOperation => ({
  ...{ id: row.id, accountId: row.account_id, keyId: row.key_id },
  ...{ charge: row.charge, settlement: row.settlement as ResolvedOperation['settlement'] },
  subject: { video_id: row.video_id, language: row.language },
});

/** By id, after the given one. */
export const resolvedOperations = async (
  db: Database,
  after: string,
  limit: number,
): Promise<ResolvedOperation[]> => {
  const where = { settlement: { in: ['settled', 'released'] }, id: { gt: after } };
  const rows = await db.operation.findMany({ where, orderBy: { id: 'asc' }, take: limit, select: columns });
  return rows.map(toResolved);
};

/** As an array in one parameter: Prisma would make a statement for every number of ids. */
const KNOWN = { name: 'known-operations', text: 'SELECT id FROM operations WHERE id = ANY ($1::uuid[])' };

/** Those among the ids that are operations, whatever became of them. */
export const knownOperations = async (sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await sql<{ id: string }>(KNOWN, [ids])).map(({ id }) => id));

/** Whether it was news: what is not settled any more is somebody else's. */
export const giveUpCharge = async (db: Database, id: string): Promise<boolean> => {
  const where = { id, settlement: 'settled', charge: { gt: 0 } };
  const { count } = await db.operation.updateMany({ where, data: { settlement: 'uncollected' } });
  return count === 1;
};
