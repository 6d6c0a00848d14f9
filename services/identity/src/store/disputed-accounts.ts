import type { Db } from './database.ts';

/** Those that are known to be disputed, with the version of their status that froze them for that. */
export const frozenVersionsOf = async (
  db: Db,
  accountIds: readonly string[],
): Promise<Map<string, number | null>> => {
  const rows = await db.disputedAccount.findMany({ where: { accountId: { in: [...accountIds] } } });
  return new Map(rows.map(({ accountId, frozenVersion }) => [accountId, frozenVersion]));
};

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
