import type { GrantRecordKind } from '@tds/contracts';
import type { Bytes } from '../domain/vault.ts';
import type { Db } from './database.ts';

type RecordId = { readonly kind: GrantRecordKind; readonly keyedDigest: Bytes };

type NewRecord = RecordId & {
  readonly payload: string;
  readonly grantId: string | null;
  readonly sealedDigest: Bytes | null;
  readonly scope: string | null;
  readonly expiresAt: Date;
};

export const saveRecord = async (db: Db, { kind, keyedDigest, ...fields }: NewRecord): Promise<void> => {
  await db.grantRecord.upsert({
    where: { kind_keyedDigest: { kind, keyedDigest } },
    create: { kind, keyedDigest, ...fields },
    update: fields,
  });
};

export const hasRecord = async (db: Db, id: RecordId): Promise<boolean> =>
  (await db.grantRecord.findUnique({ where: { kind_keyedDigest: id }, select: { kind: true } })) !== null;

/**
 * A record whose connection works, or that has none yet.
 */
export const findRecord = async (
  db: Db,
  { kind, keyedDigest }: RecordId,
  now: Date,
): Promise<{ payload: string; consumedAt: Date | null } | null> => {
  const [found] = await db.$queryRaw<{ payload: string; consumedAt: Date | null }[]>`
    SELECT r.payload, r.consumed_at AS "consumedAt" FROM grant_records r
      LEFT JOIN connections c ON c.grant_id = r.grant_id LEFT JOIN api_keys k ON k.id = c.key_id
    WHERE r.kind = ${kind} AND r.keyed_digest = ${keyedDigest} AND k.revoke_at IS NULL
      AND r.expires_at > ${now}::timestamptz`;
  return found ?? null;
};

/** Marks the first use. Resolves to whether it is the first, and to the grant; null if there is no such record. */
export const consumeRecord = async (
  db: Db,
  { kind, keyedDigest }: RecordId,
  now: Date,
): Promise<{ isFirst: boolean; grantId: string | null } | null> => {
  const { count } = await db.grantRecord.updateMany({
    where: { kind, keyedDigest, consumedAt: null },
    data: { consumedAt: now },
  });
  const row = await db.grantRecord.findUnique({
    where: { kind_keyedDigest: { kind, keyedDigest } },
    select: { grantId: true },
  });
  return row && { isFirst: count === 1, grantId: row.grantId };
};

type LockedRecord = {
  readonly grantId: string | null;
  readonly consumedAt: Date | null;
  readonly repeats: number;
};

/** Its uses run in turn until the transaction ends. Null if there is no such record. */
export const lockRecord = async (
  db: Db,
  { kind, keyedDigest }: RecordId,
  now: Date,
): Promise<LockedRecord | null> => {
  const [found] = await db.$queryRaw<LockedRecord[]>`
    SELECT grant_id AS "grantId", consumed_at AS "consumedAt", repeats FROM grant_records
    WHERE kind = ${kind} AND keyed_digest = ${keyedDigest} AND expires_at > ${now}::timestamptz FOR UPDATE`;
  return found ?? null;
};

export const findUse = (db: Db, id: RecordId): Promise<{ consumedAt: Date | null } | null> =>
  db.grantRecord.findUnique({ where: { kind_keyedDigest: id }, select: { consumedAt: true } });

export const markRepeat = async (db: Db, id: RecordId): Promise<void> => {
  await db.grantRecord.update({ where: { kind_keyedDigest: id }, data: { repeats: { increment: 1 } } });
};

/**
 * Marks the first use. The tokens that were used before it are older than its parent now, and end at `olderEndAt`; its own row stays until
 * its successor is used, whose answer may have been lost.
 */
export const markUse = async (
  db: Db,
  { kind, keyedDigest }: RecordId,
  { grantId, now, olderEndAt }: { readonly grantId: string; readonly now: Date; readonly olderEndAt: Date },
): Promise<void> => {
  await db.grantRecord.updateMany({
    where: { grantId, kind, consumedAt: { not: null }, expiresAt: { gt: olderEndAt } },
    data: { expiresAt: olderEndAt },
  });
  await db.grantRecord.update({
    where: { kind_keyedDigest: { kind, keyedDigest } },
    data: { consumedAt: now },
  });
};

export const deleteRecord = async (db: Db, { kind, keyedDigest }: RecordId): Promise<void> => {
  await db.grantRecord.deleteMany({ where: { kind, keyedDigest } });
};

/** Its access tokens stay until they expire: the sweep of revocations finds their entries by them. */
export const deleteRecordsOfGrant = async (db: Db, grantId: string): Promise<void> => {
  await db.grantRecord.deleteMany({ where: { grantId, kind: { not: 'AccessToken' } } });
};

/** The same for all connections of an account. */
export const deleteRecordsOfAccount = (db: Db, accountId: string): Promise<number> =>
  db.$executeRaw`
    DELETE FROM grant_records r USING connections c JOIN api_keys k ON k.id = c.key_id
    WHERE r.grant_id = c.grant_id AND r.kind <> 'AccessToken' AND k.account_id = ${accountId}::uuid`;

/** Keeps a client as long as a refresh token of its. A client that names itself by its address has no record. */
export const extendClient = async (db: Db, keyedDigest: Bytes, expiresAt: Date): Promise<void> => {
  await db.grantRecord.updateMany({
    where: { kind: 'Client', keyedDigest, expiresAt: { lt: expiresAt } },
    data: { expiresAt },
  });
};
