import type { Tier } from '@tds/contracts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** Whoever changes what an account watches queues here, until the transaction ends. */
export const lockAccount = async (tx: Db, id: string): Promise<{ readonly hasWebhook: boolean }> => {
  const [locked] = await tx.$queryRaw<{ hasWebhook: boolean }[]>`
    INSERT INTO accounts AS a (id) VALUES (${id}::uuid)
    ON CONFLICT (id) DO UPDATE SET id = excluded.id RETURNING has_webhook AS "hasWebhook"`;
  return { hasWebhook: locked?.hasWebhook === true };
};

/** By the database's clock, as text: it has microseconds. */
export const moment = async (db: Db): Promise<string> => {
  const [row] = await db.$queryRaw<{ at: string }[]>`SELECT clock_timestamp()::text AS at`;
  if (row === undefined) throw new Error('the database does not say what time it is');
  return row.at;
};

/** What identity has said to whoever asked last. True where that is another tier than was known. */
export const saveTier = async (
  tx: Db,
  id: string,
  { tier, askedAt }: { readonly tier: Tier; readonly askedAt: string },
): Promise<boolean> => {
  await lockAccount(tx, id);
  const changed = await tx.$queryRaw<{ isOther: boolean }[]>`
    UPDATE accounts AS a SET tier = ${tier}, tier_asked_at = ${askedAt}::timestamptz
    FROM (SELECT tier FROM accounts WHERE id = ${id}::uuid) AS before
    WHERE id = ${id}::uuid AND (tier_asked_at IS NULL OR tier_asked_at < ${askedAt}::timestamptz)
    RETURNING before.tier IS DISTINCT FROM a.tier AS "isOther"`;
  return changed.some(({ isOther }) => isOther);
};

/** The dispatcher has just said so itself: what it tells of later changes is newer. */
export const noteWebhook = async (tx: Db, id: string): Promise<void> => {
  await tx.account.update({ where: { id }, data: { hasWebhook: true } });
};

/** Follows the dispatcher's news, in whatever order they come; false where something newer is known. */
export const followWebhook = async (
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

/** What an account watches tells its webhook from now on. */
export const useWebhook = async (tx: Db, accountId: string): Promise<void> => {
  await tx.monitor.updateMany({ where: { accountId, cancelledAt: null }, data: { usesWebhook: true } });
};

/** What of an account a UTC day counts. */
export type Counted = 'monitors' | 'keys';

const today = Prisma.sql`(now() AT TIME ZONE 'UTC')::date`;
const column = (counted: Counted): Prisma.Sql => Prisma.raw(counted);

/** One more today; resolves to how many there are now. */
export const countCreation = async (tx: Db, accountId: string, counted: Counted): Promise<number> => {
  const [row] = await tx.$queryRaw<{ count: number }[]>`
    INSERT INTO creation_days AS d (account_id, day, ${column(counted)}) VALUES (${accountId}::uuid, ${today}, 1)
    ON CONFLICT (account_id, day) DO UPDATE SET ${column(counted)} = d.${column(counted)} + 1
    RETURNING ${column(counted)} AS count`;
  return row?.count ?? 0;
};

/** What has failed for reasons of ours does not count. */
export const uncountMonitor = async (tx: Db, accountId: string): Promise<void> => {
  await tx.$executeRaw`
    UPDATE creation_days SET monitors = monitors - 1
    WHERE account_id = ${accountId}::uuid AND day = ${today} AND monitors > 0`;
};
