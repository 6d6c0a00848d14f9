import type { Db } from './database.ts';

/** Undefined if the account is not known to be disputed, otherwise the version of its status that froze it for that. */
export const frozenVersionOf = async (db: Db, accountId: string): Promise<number | null | undefined> =>
  (await db.disputedAccount.findUnique({ where: { accountId } }))?.frozenVersion;

export const insertDisputed = async (
  db: Db,
  accountId: string,
  frozenVersion: number | null,
): Promise<void> => {
  await db.disputedAccount.create({ data: { accountId, frozenVersion } });
};

export const deleteDisputed = async (db: Db, accountId: string): Promise<void> => {
  await db.disputedAccount.delete({ where: { accountId } });
};

export const statusVersionOf = async (db: Db, id: string): Promise<number> =>
  (await db.account.findUniqueOrThrow({ where: { id }, select: { statusVersion: true } })).statusVersion;
