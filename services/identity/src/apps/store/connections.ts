import type { Bytes } from '../../domain/vault.ts';
import { worksAt } from '../../keys/index.ts';
import type { Db } from '../../store/database.ts';
import type { Prisma } from '../../store/prisma/client.ts';

const select = {
  grantId: true,
  host: true,
  key: {
    select: {
      ...{ id: true, accountId: true, personId: true, name: true, scope: true, dailyCreditCap: true },
      ...{ createdAt: true, lastUsedAt: true },
    },
  },
} as const;

type Row = Prisma.ConnectionGetPayload<{ select: typeof select }>;

const toConnection = ({ key: { scope, ...key }, ...row }: Row) => ({ ...row, ...key, scope: scope ?? '' });

/** A connection of an app, with what it shares with other keys. */
export type StoredConnection = ReturnType<typeof toConnection>;

/** Newest first. */
const find = async (db: Db, where: Prisma.ConnectionWhereInput): Promise<StoredConnection[]> =>
  (await db.connection.findMany({ where, orderBy: { key: { createdAt: 'desc' } }, select })).map(toConnection);

/** Those that work, newest first. */
export const findConnections = (db: Db, accountId: string, now: Date): Promise<StoredConnection[]> =>
  find(db, { key: { accountId, ...worksAt(now) } });

/** The connection, if it works. */
export const findConnection = async (
  db: Db,
  { accountId, id: keyId }: Pick<StoredConnection, 'accountId' | 'id'>,
  now: Date,
): Promise<StoredConnection | null> =>
  (await find(db, { keyId, key: { accountId, ...worksAt(now) } }))[0] ?? null;

/** The connection of a grant, whether it works or not. */
export const findConnectionOfGrant = async (db: Db, grantId: string): Promise<StoredConnection | null> =>
  (await find(db, { grantId }))[0] ?? null;

/** The working connection of a person, of the client and host of a grant that has none yet; null if there is none. */
export const findConnectionOfApp = async (
  db: Db,
  { accountId, personId, grantId, host }: Pick<StoredConnection, 'accountId' | 'personId' | 'grantId' | 'host'>,
  now: Date,
): Promise<StoredConnection | null> => {
  const [earlier] = await db.$queryRaw<{ grantId: string }[]>`
    SELECT c.grant_id AS "grantId" FROM connections c JOIN api_keys k ON k.id = c.key_id
      JOIN grant_records o ON o.grant_id = c.grant_id AND o.kind = 'Grant'
      JOIN grant_records n ON n.grant_id = ${grantId} AND n.kind = 'Grant'
    WHERE k.account_id = ${accountId}::uuid AND coalesce(k.person_id, k.account_id) = ${personId}::uuid AND c.host = ${host} AND (k.revoke_at IS NULL OR k.revoke_at > ${now}::timestamptz)
      AND o.payload::json ->> 'clientId' = n.payload::json ->> 'clientId'
    ORDER BY k.created_at DESC LIMIT 1`;
  return earlier ? findConnectionOfGrant(db, earlier.grantId) : null;
};

/** A hundred connections without a token that still works, unused since then, of an account or of all: they never work again. */
export const findDeadConnections = async (
  db: Db,
  { accountId = null, unusedSince, now }: { accountId?: string | null; unusedSince: Date; now: Date },
): Promise<StoredConnection[]> => {
  const dead = await db.$queryRaw<{ keyId: string }[]>`
    SELECT c.key_id AS "keyId" FROM connections c JOIN api_keys k ON k.id = c.key_id
    WHERE (${accountId}::uuid IS NULL OR k.account_id = ${accountId}::uuid) AND k.revoke_at IS NULL
      AND coalesce(k.last_used_at, k.created_at) < ${unusedSince}::timestamptz
      AND NOT EXISTS (SELECT FROM grant_records r WHERE r.grant_id = c.grant_id AND r.kind <> 'Grant' AND r.expires_at > ${now}::timestamptz)
    ORDER BY c.key_id LIMIT 100`;
  return find(db, { keyId: { in: dead.map(({ keyId }) => keyId) } });
};

/** Gives a connection another grant, scope and cap. Its tokens stay, at most for this scope. */
export const regrantConnection = async (
  db: Db,
  { id, grantId: earlier }: StoredConnection,
  { grantId, scope, dailyCreditCap }: Pick<StoredConnection, 'grantId' | 'scope' | 'dailyCreditCap'>,
  now: Date,
) => {
  await db.connection.update({ where: { keyId: id }, data: { grantId } });
  const data = { scope, dailyCreditCap, changedAt: now, version: { increment: 1 } };
  await db.apiKey.update({ where: { id }, data });
  await db.grantRecord.deleteMany({ where: { grantId: earlier, kind: 'Grant' } });
  // A payload names its grant, which is a digest.
  await db.$executeRaw`
    UPDATE grant_records SET grant_id = ${grantId}, payload = replace(payload, ${earlier}, ${grantId}) WHERE grant_id = ${earlier}`;
};

export const insertConnection = (
  db: Db,
  { id: keyId, grantId, host }: Pick<StoredConnection, 'id' | 'grantId' | 'host'>,
) => db.connection.create({ data: { keyId, grantId, host } });

/** The encrypted digests of the access tokens of a grant. */
export const findTokenDigests = async (db: Db, grantId: string): Promise<Bytes[]> => {
  const where = { grantId, kind: 'AccessToken', encryptedDigest: { not: null } };
  const rows = await db.grantRecord.findMany({ where, select: { encryptedDigest: true } });
  return rows.flatMap(({ encryptedDigest }) => (encryptedDigest === null ? [] : [encryptedDigest]));
};
