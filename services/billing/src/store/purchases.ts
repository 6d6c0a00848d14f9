import { FIRST_ID } from '@tds/base';
import type { CreditBlock } from '@tds/contracts';
import type { Backlog } from '@tds/kit';
import type { Database, Db } from './database.ts';

type PurchaseRow = NonNullable<Awaited<ReturnType<Database['purchase']['findUnique']>>>;
export type StoredPurchase = PurchaseRow & { readonly block: CreditBlock };

/** Only blocks that were on sale are ever inserted. */
export const toPurchase = (row: PurchaseRow | null): StoredPurchase | null => row as StoredPurchase | null;

const toPurchases = (rows: PurchaseRow[]): StoredPurchase[] => rows as StoredPurchase[];

export const findPurchase = async (db: Db, id: string): Promise<StoredPurchase | null> =>
  toPurchase(await db.purchase.findUnique({ where: { id } }));

export const findPurchases = async (db: Db, ids: readonly string[]): Promise<StoredPurchase[]> =>
  toPurchases(await db.purchase.findMany({ where: { id: { in: [...ids] } } }));

/** Finds a purchase that the account has paid or accepted. */
export const findOwnPurchase = async (db: Db, accountId: string, id: string): Promise<StoredPurchase | null> =>
  toPurchase(await db.purchase.findFirst({ where: { id, accountId } }));

type Owner = { readonly accountId: string; readonly email: string };

/** An account sees its own purchases, and those that strangers paid for its address. */
const visibleTo = ({ accountId, email }: Owner) => ({
  OR: [{ accountId }, { accountId: null, email, state: 'paid' as const }],
});

export const findVisible = async (db: Db, owner: Owner, id: string): Promise<StoredPurchase | null> =>
  toPurchase(await db.purchase.findFirst({ where: { id, ...visibleTo(owner) } }));

/** Lists a page of visible purchases, newest first, with their number. */
export const listVisible = async (
  db: Db,
  owner: Owner,
  { limit, offset }: { limit: number; offset: number },
  hasUnpaid = true,
): Promise<{ purchases: StoredPurchase[]; total: number }> => {
  const where = { ...visibleTo(owner), ...(hasUnpaid ? {} : { NOT: { state: 'expired' as const } }) };
  const [rows, total] = await Promise.all([
    db.purchase.findMany({
      where,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
      skip: offset,
    }),
    db.purchase.count({ where }),
  ]);
  return { purchases: toPurchases(rows), total };
};

export const findStoredIds = async (db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.purchase.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
};

/**
 * Locks payments until the transaction ends, in one order. A payment and a refund of it therefore see each other, whichever of their
 * events arrives first.
 */
export const lockPayments = async (db: Db, paymentIntentIds: readonly string[]) => {
  if (paymentIntentIds.length === 0) return;
  await db.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(id, 0))
    FROM (SELECT DISTINCT id FROM unnest(${paymentIntentIds}::text[]) AS id ORDER BY id) AS payments`;
};

type NamedPurchases = { readonly ids: readonly string[]; readonly paymentIntentIds?: readonly string[] };

/** Locks purchases until the transaction ends, in one order, and reads them. */
export const lockPurchases = async (
  db: Db,
  { ids, paymentIntentIds = [] }: NamedPurchases,
): Promise<Map<string, StoredPurchase>> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM purchases WHERE id = ANY (${ids}::uuid[]) OR payment_intent_id = ANY (${paymentIntentIds})
    ORDER BY id FOR UPDATE`;
  if (rows.length === 0) return new Map();
  const lockedIds = rows.map(({ id }) => id);
  return new Map((await findPurchases(db, lockedIds)).map((purchase) => [purchase.id, purchase]));
};

export type Payment = Pick<StoredPurchase, 'id' | 'sessionId' | 'customerId' | 'paymentIntentId'> & {
  readonly paidAt: Date;
};

/** Saves payments. The processor counts whole seconds, so a purchase is paid when it was created at the earliest. */
export const markPaid = async (db: Db, payments: readonly Payment[], now: Date) => {
  if (payments.length === 0) return;
  await db.$executeRaw`
    UPDATE purchases AS p
    SET state = 'paid', session_id = g."sessionId", customer_id = g."customerId",
      payment_intent_id = g."paymentIntentId", paid_at = greatest(g."paidAt", p.created_at), changed_at = ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(payments)}::jsonb)
      AS g (id uuid, "sessionId" text, "customerId" text, "paymentIntentId" text, "paidAt" timestamptz)
    WHERE p.id = g.id`;
};

/** Changes nothing if the purchase has expired: the event of a failed payment may arrive before that of its beginning. */
export const markProcessing = async (db: Db, id: string, sessionId: string, now: Date) => {
  const where = { id, state: { in: ['opening' as const, 'open' as const] } };
  await db.purchase.updateMany({ where, data: { state: 'processing', sessionId, changedAt: now } });
};

export const saveReceipt = (db: Db, id: string, receiptUrl: string) =>
  db.purchase.updateMany({ where: { id }, data: { receiptUrl } });

/** Marks a purchase as changed, so that reconciliation reads it again. */
export const touch = (db: Db, id: string, now: Date) =>
  db.purchase.updateMany({ where: { id }, data: { changedAt: now } });

/** Marks the paid purchases that an account sees as changed. Resolves to their ids. */
export const touchPaid = async (db: Db, owner: Owner, now: Date): Promise<string[]> => {
  const where = { ...visibleTo(owner), state: 'paid' as const };
  const rows = await db.purchase.updateManyAndReturn({
    where,
    data: { changedAt: now },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
};

/** Marks the purchase of a payment as changed. Resolves to null until that payment is saved. */
export const touchByPayment = async (
  db: Db,
  paymentIntentId: string,
  now: Date,
): Promise<StoredPurchase | null> => {
  const data = { changedAt: now };
  const [row] = await db.purchase.updateManyAndReturn({ where: { paymentIntentId }, data });
  return toPurchase(row ?? null);
};

type PaidPage = { readonly since: Date; readonly after: StoredPurchase | null; readonly limit: number };

/** Reads a page of paid purchases that changed at `since` or later, in the order of their changes. */
export const findPaidPage = async (db: Db, { since, after, limit }: PaidPage): Promise<StoredPurchase[]> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM purchases
    WHERE state = 'paid' AND changed_at >= ${since}::timestamptz
      AND (changed_at, id) > (${after?.changedAt ?? new Date(0)}::timestamptz, ${after?.id ?? FIRST_ID}::uuid)
    ORDER BY changed_at, id LIMIT ${limit}`;
  const where = { id: { in: rows.map(({ id }) => id) } };
  return toPurchases(await db.purchase.findMany({ where, orderBy: [{ changedAt: 'asc' }, { id: 'asc' }] }));
};

/** Paid purchases of the last 8 days that the ledger has not granted. Those of strangers count from their acceptance. */
export const countUngranted = async (db: Database): Promise<Backlog> => {
  const [row] = await db.$queryRaw<Required<Backlog>[]>`
    SELECT count(*)::int AS count,
      coalesce(extract(epoch FROM now() - min(CASE bought_by WHEN 'account' THEN paid_at ELSE admitted_at END)), 0)::float8 AS "oldestSeconds"
    FROM purchases
    WHERE changed_at > now() - interval '8 days' AND paid_at IS NOT NULL AND granted_at IS NULL
      AND account_id IS NOT NULL`;
  return row ?? { count: 0 };
};
