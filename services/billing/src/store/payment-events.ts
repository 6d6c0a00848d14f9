import { SECOND_MS } from '@tds/contracts';
import type { Db } from './database.ts';

type NewEvent = { readonly id: string; readonly type: string; readonly created: number };

/**
 * Inserts events and resolves to the ids of the new ones. A transaction that inserts one of the same events waits for this one; all of
 * them insert in one order.
 */
export const insertEvents = async (db: Db, events: readonly NewEvent[], now: Date): Promise<Set<string>> => {
  const data = events
    .map(({ id, type, created }) => ({
      id,
      type,
      createdAt: new Date(created * SECOND_MS),
      receivedAt: now,
    }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const options = { data, skipDuplicates: true, select: { id: true } };
  return new Set((await db.paymentEvent.createManyAndReturn(options)).map(({ id }) => id));
};

export const findStoredEvents = async (db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.paymentEvent.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
};

/** Reads up to which time the processor's list of events was read; null before the first run. */
export const readUpTo = async (db: Db): Promise<Date | null> =>
  (await db.reconciliation.findFirst())?.upTo ?? null;

export const saveUpTo = async (db: Db, upTo: Date) => {
  // With its key among the created values, this is one statement, which concurrent calls do not break.
  const place = { isOnly: true, upTo };
  await db.reconciliation.upsert({ where: { isOnly: true }, create: place, update: { upTo } });
};
