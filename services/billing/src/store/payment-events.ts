import type { Db } from './database.ts';

const MS = 1_000;

type Told = { readonly id: string; readonly type: string; readonly created: number };

/**
 * The ids of those that are new. Whoever comes with the same ones at the same time waits for this transaction, and in one order for
 * several.
 */
export const insertEvents = async (db: Db, told: readonly Told[], now: Date): Promise<Set<string>> => {
  const data = told
    .map(({ id, type, created }) => ({ id, type, createdAt: new Date(created * MS), receivedAt: now }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const options = { data, skipDuplicates: true, select: { id: true } };
  return new Set((await db.paymentEvent.createManyAndReturn(options)).map(({ id }) => id));
};

export const knownEvents = async (db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.paymentEvent.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
};

/** Resolves to how many were deleted. */
export const deleteEvents = async (db: Db, before: Date, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM payment_events WHERE id IN (
      SELECT id FROM payment_events WHERE received_at < ${before}::timestamptz LIMIT ${limit}
    )`;

export const readUpTo = async (db: Db): Promise<Date | null> =>
  (await db.reconciliation.findFirst())?.upTo ?? null;

export const saveUpTo = async (db: Db, upTo: Date): Promise<void> => {
  await db.reconciliation.upsert({ where: { isOnly: true }, create: { upTo }, update: { upTo } });
};
