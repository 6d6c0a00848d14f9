import type { Bytes } from '../domain/vault.ts';
import { worksAt } from './account-keys.ts';
import type { Db } from './database.ts';
import type { Prisma } from './prisma/client.ts';

/** A connection of an app, with what it shares with other keys. */
export type StoredConnection = {
  readonly id: string;
  readonly accountId: string;
  readonly grantId: string;
  readonly name: string;
  readonly host: string;
  readonly scope: string;
  readonly dailyCreditCap: number | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
};

const select = {
  grantId: true,
  host: true,
  key: {
    select: {
      ...{ id: true, accountId: true, name: true, scope: true, dailyCreditCap: true },
      ...{ createdAt: true, lastUsedAt: true },
    },
  },
} as const;

type Row = Prisma.ConnectionGetPayload<{ select: typeof select }>;

const toConnection = ({ key: { scope, ...key }, ...row }: Row): StoredConnection => ({
  ...row,
  ...key,
  scope: scope ?? '',
});

/** Those that work, newest first. */
export const findConnections = async (db: Db, accountId: string, now: Date): Promise<StoredConnection[]> => {
  const rows = await db.connection.findMany({
    where: { key: { accountId, ...worksAt(now) } },
    orderBy: { key: { createdAt: 'desc' } },
    select,
  });
  return rows.map(toConnection);
};

/** The connection, if it works. */
export const findConnection = async (
  db: Db,
  { accountId, id }: Pick<StoredConnection, 'accountId' | 'id'>,
  now: Date,
): Promise<StoredConnection | null> => {
  const row = await db.connection.findFirst({
    where: { keyId: id, key: { accountId, ...worksAt(now) } },
    select,
  });
  return row && toConnection(row);
};

/** The connection of a grant, whether it works or not. */
export const findConnectionOfGrant = async (db: Db, grantId: string): Promise<StoredConnection | null> => {
  const row = await db.connection.findUnique({ where: { grantId }, select });
  return row && toConnection(row);
};

export const insertConnection = async (
  db: Db,
  { id: keyId, grantId, host }: Pick<StoredConnection, 'id' | 'grantId' | 'host'>,
): Promise<void> => {
  await db.connection.create({ data: { keyId, grantId, host } });
};

/** The encrypted digests of the access tokens of a grant. */
export const findSealedTokens = async (db: Db, grantId: string): Promise<Bytes[]> => {
  const where = { grantId, kind: 'AccessToken', sealedDigest: { not: null } };
  const rows = await db.grantRecord.findMany({ where, select: { sealedDigest: true } });
  return rows.flatMap(({ sealedDigest }) => (sealedDigest === null ? [] : [sealedDigest]));
};
