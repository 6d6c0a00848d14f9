import type { GrantRecordKind } from '@tds/contracts';
import type { Bytes } from '../../domain/vault.ts';
import type { Db } from '../../store/database.ts';
import { type GrantRecord, Prisma } from '../../store/prisma/client.ts';

type RecordId = { readonly kind: GrantRecordKind; readonly keyedDigest: Bytes };

type NewRecord = RecordId &
  Pick<GrantRecord, 'payload' | 'grantId' | 'encryptedDigest' | 'scope' | 'expiresAt'>;

export const saveRecord = (db: Db, { kind, keyedDigest, ...fields }: NewRecord) =>
  db.grantRecord.upsert({
    where: { kind_keyedDigest: { kind, keyedDigest } },
    create: { kind, keyedDigest, ...fields },
    update: fields,
  });

export const hasRecord = async (db: Db, id: RecordId): Promise<boolean> =>
  (await db.grantRecord.findUnique({ where: { kind_keyedDigest: id }, select: { kind: true } })) !== null;

/** A record whose connection works, or that has none yet. */
export const findRecord = async (
  db: Db,
  { kind, keyedDigest }: RecordId,
  now: Date,
): Promise<{ payload: string } | null> => {
  const [row] = await db.$queryRaw<{ payload: string }[]>`
    SELECT r.payload FROM grant_records r
      LEFT JOIN connections c ON c.grant_id = r.grant_id LEFT JOIN api_keys k ON k.id = c.key_id
    WHERE r.kind = ${kind} AND r.keyed_digest = ${keyedDigest} AND k.revoke_at IS NULL
      AND r.expires_at > ${now}::timestamptz`;
  return row ?? null;
};

type UsedRecord = { readonly grantId: string; readonly usedAt: Date; readonly repeats: number };
type Use = { readonly next: Bytes | null; readonly now: Date; readonly olderEndAt: Date };

const IS_FIRST_USE = Prisma.sql`consumed_at IS NULL`;

const MAX_REPEATS = 10;

/**
 * SQL: this is the parent of `next`, the newest token, which is unused: programs that share a token wake at the same expiry, and an answer
 * may have been lost. One that waits for the first use does not see the token that this makes.
 */
const isParentOfUnused = (next: Bytes | null) => Prisma.sql`(
  kind = 'RefreshToken' AND repeats < ${MAX_REPEATS}::int AND NOT EXISTS (SELECT FROM grant_records AS newest
    WHERE newest.kind = 'RefreshToken' AND newest.keyed_digest = ${next} AND newest.consumed_at IS NOT NULL))`;

/**
 * Uses a code or a refresh token; null if it may not be used again, or if there is no such record. The first use ends the tokens that were
 * used before it at `olderEndAt`.
 */
export const takeUse = async (
  db: Db,
  { kind, keyedDigest }: RecordId,
  { next, now, olderEndAt }: Use,
): Promise<UsedRecord | null> => {
  const [record] = await db.$queryRaw<UsedRecord[]>`
    UPDATE grant_records SET consumed_at = coalesce(consumed_at, ${now}::timestamptz),
      repeats = repeats + (consumed_at IS NOT NULL)::int
    WHERE kind = ${kind} AND keyed_digest = ${keyedDigest} AND grant_id IS NOT NULL AND expires_at > ${now}::timestamptz
      AND (${IS_FIRST_USE} OR ${isParentOfUnused(next)})
    RETURNING grant_id AS "grantId", consumed_at AS "usedAt", repeats`;
  if (record?.repeats === 0)
    await db.grantRecord.updateMany({
      where: {
        ...{ grantId: record.grantId, kind, keyedDigest: { not: keyedDigest }, consumedAt: { not: null } },
        expiresAt: { gt: olderEndAt },
      },
      data: { expiresAt: olderEndAt },
    });
  return record ?? null;
};

/** The same of a use that was refused. */
export const findUse = async (db: Db, id: RecordId): Promise<Omit<UsedRecord, 'repeats'> | null> => {
  const record = await db.grantRecord.findUnique({ where: { kind_keyedDigest: id } });
  const { grantId = null, consumedAt = null } = record ?? {};
  return grantId === null || consumedAt === null ? null : { grantId, usedAt: consumedAt };
};

export const deleteRecord = (db: Db, { kind, keyedDigest }: RecordId) =>
  db.grantRecord.deleteMany({ where: { kind, keyedDigest } });

/** Its access tokens stay until they expire: the sweep of revocations finds their entries by them. */
export const deleteRecordsOfGrant = (db: Db, grantId: string) =>
  db.grantRecord.deleteMany({ where: { grantId, kind: { not: 'AccessToken' } } });

/** The same for all connections of an account. */
export const deleteRecordsOfAccount = (db: Db, accountId: string): Promise<number> =>
  db.$executeRaw`
    DELETE FROM grant_records r USING connections c JOIN api_keys k ON k.id = c.key_id
    WHERE r.grant_id = c.grant_id AND r.kind <> 'AccessToken' AND k.account_id = ${accountId}::uuid`;

/** Keeps a client as long as a refresh token of its. A client that names itself by its address has no record. */
export const extendClient = (db: Db, keyedDigest: Bytes, expiresAt: Date) =>
  db.grantRecord.updateMany({
    where: { kind: 'Client', keyedDigest, expiresAt: { lt: expiresAt } },
    data: { expiresAt },
  });
