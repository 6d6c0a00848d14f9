import type { StoredKey } from '../domain/api-key.ts';
import type { Slot } from '../domain/key-limits.ts';
import type { Db } from './database.ts';

/** Keys as the account that owns them sees them: another account's key is no key. */

const columns = {
  id: true,
  name: true,
  prefix: true,
  dailyCreditCap: true,
  createdAt: true,
  lastUsedAt: true,
  revokeAt: true,
  replacedBy: true,
  slot: true,
  overLimit: true,
} as const;

const changedAt = (now: Date) => ({ changedAt: now, version: { increment: 1 } });

const worksAt = (now: Date) => ({ OR: [{ revokeAt: null }, { revokeAt: { gt: now } }] });

export const findWorkingKeys = (db: Db, accountId: string, now: Date): Promise<StoredKey[]> =>
  db.apiKey.findMany({ where: { accountId, ...worksAt(now) }, select: columns });

/** The keys that were revoked last. */
export const findRevokedKeys = (
  db: Db,
  accountId: string,
  { now, atMost }: { now: Date; atMost: number },
): Promise<StoredKey[]> =>
  db.apiKey.findMany({
    where: { accountId, revokeAt: { lte: now } },
    orderBy: [{ revokeAt: 'desc' }, { id: 'asc' }],
    take: atMost,
    select: columns,
  });

/** Those of the prefixes that a key of the account has or had. */
export const findTakenPrefixes = async (
  db: Db,
  accountId: string,
  prefixes: readonly string[],
): Promise<string[]> => {
  const where = { accountId, prefix: { in: [...prefixes] } };
  return (await db.apiKey.findMany({ where, select: { prefix: true } })).map(({ prefix }) => prefix);
};

/** The n-th newest key of all that the account has made; null if there are fewer. */
export const findNthNewestKey = (db: Db, accountId: string, n: number): Promise<StoredKey | null> =>
  db.apiKey.findFirst({ where: { accountId }, orderBy: { createdAt: 'desc' }, skip: n - 1, select: columns });

export const hasOlderKey = async (db: Db, accountId: string, createdAt: Date): Promise<boolean> =>
  (await db.apiKey.findFirst({
    where: { accountId, createdAt: { lt: createdAt } },
    select: { id: true },
  })) !== null;

export const findKey = (db: Db, accountId: string, keyId: string): Promise<StoredKey | null> =>
  db.apiKey.findUnique({ where: { id: keyId, accountId }, select: columns });

/** The key, locked until the transaction ends. */
export const lockKey = async (db: Db, accountId: string, keyId: string): Promise<StoredKey | null> => {
  await db.$executeRaw`
    SELECT FROM api_keys WHERE id = ${keyId}::uuid AND account_id = ${accountId}::uuid FOR UPDATE`;
  return findKey(db, accountId, keyId);
};

/** Changes the label and the cap of a key that the caller holds locked. */
export const updateKeyFields = (
  db: Db,
  keyId: string,
  changed: { name?: string; dailyCreditCap?: number | null },
  now: Date,
): Promise<StoredKey> =>
  db.apiKey.update({ where: { id: keyId }, data: { ...changed, ...changedAt(now) }, select: columns });

/** Lets a key that the caller holds locked end at `revokeAt`, with another in its place. */
export const replaceKey = (
  db: Db,
  keyId: string,
  end: { replacedBy: string; revokeAt: Date },
  now: Date,
): Promise<StoredKey> =>
  db.apiKey.update({ where: { id: keyId }, data: { ...end, ...changedAt(now) }, select: columns });

/**
 * The slots of the account: whether a live key has one, and since when none has. Like everything that adds keys it relies on the
 * caller holding the account's row locked.
 */
export const findSlots = (db: Db, accountId: string, now: Date): Promise<Slot[]> =>
  db.$queryRaw<Slot[]>`
    SELECT slot, bool_or(replaced_by IS NULL AND (revoke_at IS NULL OR revoke_at > ${now}::timestamptz)) AS "isHeld",
      max(revoke_at) AS "freeSince"
    FROM api_keys WHERE account_id = ${accountId}::uuid GROUP BY slot`;

/** The keys that worked at `since` or later, with their slots. */
export const findKeysSince = (
  db: Db,
  accountId: string,
  since: Date,
): Promise<{ id: string; slot: number }[]> =>
  db.apiKey.findMany({ where: { accountId, ...worksAt(since) }, select: { id: true, slot: true } });

/**
 * The keys of a locked account that take a place of its tier, in the order in which their slots were made: those that are active, and
 * those that end for want of a place.
 */
export const findPlacedKeys = (db: Db, accountId: string, now: Date): Promise<StoredKey[]> =>
  db.apiKey.findMany({
    where: {
      accountId,
      replacedBy: null,
      OR: [{ revokeAt: null }, { overLimit: true, revokeAt: { gt: now } }],
    },
    orderBy: [{ slot: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
    select: columns,
  });

/** Lets a key of a locked account end for want of a place, or, with null, go on. */
export const placeKey = async (db: Db, keyId: string, revokeAt: Date | null, now: Date): Promise<void> => {
  const data = { revokeAt, overLimit: revokeAt !== null, ...changedAt(now) };
  await db.apiKey.update({ where: { id: keyId }, data });
};

/** Ends every key of the account that still works; the account's own end tells of it. Resolves to how many these were. */
export const revokeKeysOfAccount = async (db: Db, accountId: string, now: Date): Promise<number> => {
  const { count } = await db.apiKey.updateMany({
    where: { accountId, ...worksAt(now) },
    data: { ...{ revokeAt: now, endedAtOnce: true, endTold: true }, ...changedAt(now) },
  });
  return count;
};
