import type { StoredKey } from '../../domain/api-key.ts';
import type { Slot } from '../../domain/key-limits.ts';
import type { Db } from '../../store/database.ts';
import { isOf, type Person } from '../../store/people.ts';

/** Keys as seen by the account that owns them: a key of another account does not exist, and neither does one of a session or an app. */
const ownKeys = { sessionId: null, scope: null } as const;

/** What its holder sees of a key has no digest. */
const omit = { keyedDigest: true, encryptedDigest: true } as const;

const changedAt = (now: Date) => ({ changedAt: now, version: { increment: 1 } });

export const worksAt = (now: Date) => ({ OR: [{ revokeAt: null }, { revokeAt: { gt: now } }] });

export const findWorkingKeys = (db: Db, accountId: string, now: Date): Promise<StoredKey[]> =>
  db.apiKey.findMany({ where: { accountId, ...ownKeys, ...worksAt(now) }, omit });

/** The latest revoked keys. */
export const findRevokedKeys = (
  db: Db,
  accountId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<StoredKey[]> =>
  db.apiKey.findMany({
    where: { accountId, ...ownKeys, revokeAt: { lte: now } },
    orderBy: [{ revokeAt: 'desc' }, { id: 'asc' }],
    take: limit,
    omit,
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

/** The n-th newest of all keys that the person ever had, because keys are never deleted; null if there are fewer. */
export const findNthNewestKey = (
  db: Db,
  person: Pick<Person, 'id' | 'accountId'>,
  n: number,
): Promise<StoredKey | null> =>
  db.apiKey.findFirst({
    where: { accountId: person.accountId, ...isOf(person), ...ownKeys },
    orderBy: { createdAt: 'desc' },
    skip: n - 1,
    omit,
  });

export const hasOlderKey = async (db: Db, accountId: string, createdAt: Date): Promise<boolean> =>
  (await db.apiKey.findFirst({
    where: { accountId, ...ownKeys, createdAt: { lt: createdAt } },
    select: { id: true },
  })) !== null;

export const findKey = (db: Db, accountId: string, keyId: string): Promise<StoredKey | null> =>
  db.apiKey.findUnique({ where: { id: keyId, accountId, ...ownKeys }, omit });

const lockRow = (db: Db, accountId: string, keyId: string) =>
  db.$executeRaw`SELECT FROM api_keys WHERE id = ${keyId}::uuid AND account_id = ${accountId}::uuid FOR UPDATE`;

/** Finds the key and locks it until the transaction ends. */
export const lockKey = async (db: Db, accountId: string, keyId: string): Promise<StoredKey | null> => {
  await lockRow(db, accountId, keyId);
  return findKey(db, accountId, keyId);
};

/** The same for the requesting key, which may be one of a session. */
export const lockAskingKey = async (db: Db, accountId: string, keyId: string): Promise<StoredKey | null> => {
  await lockRow(db, accountId, keyId);
  return db.apiKey.findUnique({ where: { id: keyId, accountId }, omit });
};

/** Changes name and cap of a locked key. */
export const updateKeyFields = (
  db: Db,
  keyId: string,
  fields: { name?: string; dailyCreditCap?: number | null },
  now: Date,
): Promise<StoredKey> =>
  db.apiKey.update({ where: { id: keyId }, data: { ...fields, ...changedAt(now) }, omit });

/** Ends a locked key at `revokeAt`, and names its successor. */
export const replaceKey = (
  db: Db,
  keyId: string,
  end: { replacedBy: string; revokeAt: Date },
  now: Date,
): Promise<StoredKey> => db.apiKey.update({ where: { id: keyId }, data: { ...end, ...changedAt(now) }, omit });

/** The slots of the account: whether a live key holds each, and since when none does. Requires the lock on the account's row. */
export const findSlots = (db: Db, accountId: string, now: Date): Promise<Slot[]> =>
  db.$queryRaw<Slot[]>`
    SELECT slot, bool_or(replaced_by IS NULL AND (revoke_at IS NULL OR revoke_at > ${now}::timestamptz)) AS "isHeld",
      max(revoke_at) AS "freeSince"
    FROM api_keys WHERE account_id = ${accountId}::uuid AND session_id IS NULL AND scope IS NULL GROUP BY slot`;

/** The same of connected apps. */
export const findConnectionSlots = (db: Db, accountId: string, now: Date): Promise<Slot[]> =>
  db.$queryRaw<Slot[]>`
    SELECT slot, bool_or(revoke_at IS NULL OR revoke_at > ${now}::timestamptz) AS "isHeld", max(revoke_at) AS "freeSince"
    FROM api_keys WHERE account_id = ${accountId}::uuid AND scope IS NOT NULL GROUP BY slot`;

/** Keys of a locked account that take a place of its tier, oldest slot first: active ones, and those that end for want of a place. */
export const findPlacedKeys = (db: Db, accountId: string, now: Date): Promise<StoredKey[]> =>
  db.apiKey.findMany({
    where: {
      accountId,
      ...ownKeys,
      replacedBy: null,
      OR: [{ revokeAt: null }, { overLimit: true, revokeAt: { gt: now } }],
    },
    orderBy: [{ slot: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
    omit,
  });

/** Ends a key of a locked account for want of a place, or, with null, lets it stay. */
export const placeKey = async (db: Db, keyId: string, revokeAt: Date | null, now: Date) => {
  const data = { revokeAt, overLimit: revokeAt !== null, ...changedAt(now) };
  await db.apiKey.update({ where: { id: keyId }, data });
};

/** Ends all working keys of the account; the account's event covers them. Resolves to their number. */
export const revokeKeysOfAccount = async (db: Db, accountId: string, now: Date): Promise<number> => {
  const { count } = await db.apiKey.updateMany({
    where: { accountId, ...worksAt(now) },
    data: { ...{ revokeAt: now, endedAtOnce: true, endAnnounced: true }, ...changedAt(now) },
  });
  return count;
};
