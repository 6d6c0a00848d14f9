import { onlyRow } from '@tds/base';
import type { Tier } from '@tds/contracts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** Locks an account until the transaction ends, and creates it if needed. Every change of its monitors takes this lock. */
export const lockAccount = async (tx: Db, id: string): Promise<{ readonly hasWebhook: boolean }> =>
  onlyRow(
    await tx.$queryRaw`
      INSERT INTO accounts AS a (id) VALUES (${id}::uuid)
      ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING has_webhook AS "hasWebhook"`,
  );

/** The database's time as text, which keeps the microseconds. */
export const readClock = async (db: Db): Promise<string> =>
  onlyRow(await db.$queryRaw<{ at: string }[]>`SELECT clock_timestamp()::text AS at`).at;

/** Saves a tier unless a later request has saved one. Returns whether it differs from the saved one. */
export const saveTier = async (
  tx: Db,
  id: string,
  { tier, askedAt }: { readonly tier: Tier; readonly askedAt: string },
): Promise<boolean> => {
  await lockAccount(tx, id);
  const rows = await tx.$queryRaw<{ isOther: boolean }[]>`
    UPDATE accounts AS a SET tier = ${tier}, tier_asked_at = ${askedAt}::timestamptz
    FROM (SELECT tier FROM accounts WHERE id = ${id}::uuid) AS before
    WHERE id = ${id}::uuid AND (tier_asked_at IS NULL OR tier_asked_at < ${askedAt}::timestamptz)
    RETURNING before.tier IS DISTINCT FROM a.tier AS "isOther"`;
  return rows.some(({ isOther }) => isOther);
};

/** Saves that the dispatcher has just confirmed a webhook. Its next event is newer. */
export const saveHasWebhook = (tx: Db, id: string) =>
  tx.account.update({ where: { id }, data: { hasWebhook: true } });

/** Saves a change of the webhook; returns false if a newer one is saved. */
export const saveWebhookChange = async (
  tx: Db,
  id: string,
  { hasWebhook, version }: { readonly hasWebhook: boolean; readonly version: number },
): Promise<boolean> => {
  await lockAccount(tx, id);
  const { count } = await tx.account.updateMany({
    where: { id, webhookVersion: { lt: version } },
    data: { hasWebhook, webhookVersion: version },
  });
  return count > 0;
};

/** Creations counted per account and UTC day. */
export type CreationCount = 'monitors' | 'keys';

const today = Prisma.sql`(now() AT TIME ZONE 'UTC')::date`;
const column = (kind: CreationCount): Prisma.Sql => Prisma.raw(kind);

/** Counts one more today and returns the new count. */
export const countCreation = async (tx: Db, accountId: string, kind: CreationCount): Promise<number> => {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    INSERT INTO creation_days AS d (account_id, day, ${column(kind)}) VALUES (${accountId}::uuid, ${today}, 1)
    ON CONFLICT (account_id, day) DO UPDATE SET ${column(kind)} = d.${column(kind)} + 1
    RETURNING ${column(kind)} AS count`;
  return row?.count ?? 0;
};

/** Undoes the count of a creation that failed on our side. */
export const uncountMonitor = (tx: Db, accountId: string) =>
  tx.$executeRaw`
    UPDATE creation_days SET monitors = monitors - 1
    WHERE account_id = ${accountId}::uuid AND day = ${today} AND monitors > 0`;
