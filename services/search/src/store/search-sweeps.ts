import type { ServiceErrorData } from '@tds/contracts';
import type { Database, Tx } from './database.ts';
import type { Prisma } from './prisma/client.ts';

type Id = { readonly id: string };

/** Searches that were begun before this and have not ended. */
export const abandonedSearches = async (db: Database, before: Date, limit: number): Promise<string[]> => {
  const rows = await db.$queryRaw<Id[]>`
    SELECT id FROM searches WHERE state IN ('open', 'fetched') AND created_at < ${before}
    ORDER BY created_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
};

/** Searches that have failed, and whose credit nobody has given back for so long. */
export const searchesToGiveBack = async (db: Database, before: Date, limit: number): Promise<string[]> => {
  const rows = await db.$queryRaw<Id[]>`
    SELECT id FROM searches WHERE state = 'failed' AND settlement IS NULL AND created_at < ${before}
    ORDER BY created_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
};

/** Those among the ids that are searches, whatever became of them. */
export const knownSearches = async (db: Database, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.$queryRaw<Id[]>`SELECT id FROM searches WHERE id = ANY (${[...ids]}::uuid[])`;
  return new Set(rows.map(({ id }) => id));
};

/**
 * Takes back whatever became, or will become, of a request: also one that has not come here yet. Answers whether there is
 * a credit to give back.
 */
export const disown = async (
  tx: Tx,
  given: { readonly id: string; readonly accountId: string; readonly keyId: string },
  error: ServiceErrorData,
  now: Date,
): Promise<boolean> => {
  const ended = { state: 'failed', error: error as Prisma.InputJsonObject, endedAt: now, disownedAt: now };
  const tombstone = { ...given, ...ended, settlement: 'none', createdAt: now };
  const never = { limitId: given.keyId, fingerprint: '', question: '' };
  const { count } = await tx.search.createMany({ data: { ...tombstone, ...never }, skipDuplicates: true });
  if (count === 1) return false;
  const { count: taken } = await tx.search.updateMany({
    where: { id: given.id, accountId: given.accountId, disownedAt: null, state: { not: 'failed' } },
    data: { ...ended, settlement: null, results: [], nextToken: null, continuation: null },
  });
  return taken === 1;
};
