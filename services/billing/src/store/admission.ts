import { later, WAITING_MS } from '../domain/checkout.ts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

/** Whether the account has not given the purchase `p` back, whose moved money is `m`. */
const IS_KEPT = Prisma.sql`p.state IN ('paid', 'processing') AND p.amount > m.refunded AND NOT m.is_returned`;

/** Serializes the admission of purchases to these accounts until the transaction ends. */
export const lockAdmission = (db: Db, accountIds: readonly string[]) =>
  db.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(id::text, 1))
    FROM (SELECT DISTINCT id FROM unnest(${accountIds}::uuid[]) AS id ORDER BY id) AS accounts`;

/** Counts the purchases of an account that were not refunded: its own, and those of strangers that it has accepted. */
export const countPurchases = async (db: Db, accountId: string): Promise<number> => {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM purchases AS p JOIN moved_money AS m ON m.purchase_id = p.id
    WHERE p.account_id = ${accountId}::uuid AND ${IS_KEPT}`;
  return row?.count ?? 0;
};

/**
 * Admits the first of these purchases to each account that has no other admitted one. Requires `lockAdmission`. Resolves to the admitted
 * ones among them, also those that were admitted before.
 */
export const admitFirst = async (db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  await db.$executeRaw`
    WITH wanted AS (
      SELECT DISTINCT ON (account_id) id, account_id FROM purchases
      WHERE id = ANY (${ids}::uuid[]) AND admitted_at IS NULL AND account_id IS NOT NULL ORDER BY account_id, paid_at, id
    )
    UPDATE purchases AS u SET admitted_at = clock_timestamp() FROM wanted AS w
    WHERE u.id = w.id AND NOT EXISTS (
      SELECT FROM purchases AS p JOIN moved_money AS m ON m.purchase_id = p.id
      WHERE p.account_id = w.account_id AND p.id <> w.id AND p.admitted_at IS NOT NULL AND ${IS_KEPT}
    )`;
  const where = { id: { in: [...ids] }, admittedAt: { not: null } };
  return new Set((await db.purchase.findMany({ where, select: { id: true } })).map(({ id }) => id));
};

/** Admits a purchase to an account: that of its buyer, or of the owner of the address it was bought for. */
export const saveAdmitted = (db: Db, id: string, accountId: string, now: Date) =>
  db.purchase.update({ where: { id }, data: { accountId, admittedAt: now, changedAt: now } });

/** Finds purchases of strangers that have waited for acceptance too long and whose refund has not begun, oldest first. */
export const findUnaccepted = async (db: Db, now: Date, limit: number): Promise<string[]> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT p.id FROM purchases AS p JOIN moved_money AS m ON m.purchase_id = p.id
    WHERE p.state = 'paid' AND p.account_id IS NULL AND p.paid_at <= ${later(now, -WAITING_MS)}::timestamptz
      AND p.amount > m.refunded + m.disputed
      AND NOT EXISTS (SELECT FROM refund_requests AS q WHERE q.purchase_id = p.id)
    ORDER BY p.paid_at LIMIT ${limit}`;
  return rows.map(({ id }) => id);
};
