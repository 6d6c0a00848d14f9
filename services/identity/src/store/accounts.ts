import type { AccountStatus } from '@tds/contracts';
import type { Db } from './prisma-client.ts';

export type Account = { readonly id: string; readonly status: AccountStatus; readonly createdAt: Date };

/** The account of a normalised address, locked until the transaction ends. */
export const lockAccountByEmail = async (db: Db, email: string): Promise<Account | null> => {
  const [account] = await db.$queryRaw<Account[]>`
    SELECT id, status, created_at AS "createdAt" FROM accounts WHERE email = ${email} FOR UPDATE`;
  return account ?? null;
};

/** How many accounts that are not closed share the mailbox. Whoever counts in a transaction waits for the others. */
export const countAccountsOfMailbox = async (db: Db, mailbox: string): Promise<number> => {
  await db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${mailbox}, 0))`;
  return db.account.count({ where: { mailbox, status: { not: 'closed' } } });
};

export const insertAccount = async (
  db: Db,
  account: { id: string; email: string; mailbox: string; createdAt: Date },
): Promise<void> => {
  await db.account.create({ data: account });
};

/** Null where there is no such account or it has this status already. */
export const updateAccountStatus = async (
  db: Db,
  { email, status }: { email: string; status: AccountStatus },
  now: Date,
): Promise<{ id: string; version: number } | null> => {
  const [changed] = await db.$queryRaw<{ id: string; version: number }[]>`
    UPDATE accounts SET
      status = ${status}, status_version = status_version + 1, status_changed_at = ${now}::timestamptz
    WHERE email = ${email} AND status <> ${status}
    RETURNING id, status_version AS version`;
  return changed ?? null;
};

export const accountExists = async (db: Db, email: string): Promise<boolean> =>
  (await db.account.count({ where: { email } })) > 0;
