import type { BoughtBy, CreditBlock } from '@tds/contracts';
import { later, OPENING_MS } from '../domain/checkout.ts';
import type { Database, Db } from './database.ts';

export type PurchaseState = 'opening' | 'open' | 'expired' | 'processing' | 'paid';
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

type Row = NonNullable<Awaited<ReturnType<Database['purchase']['findUnique']>>>;
export type StoredPurchase = Omit<Row, 'state' | 'boughtBy' | 'block'> & {
  readonly state: PurchaseState;
  readonly boughtBy: BoughtBy;
  readonly block: CreditBlock;
};

const toPurchase = (row: Row | null): StoredPurchase | null => row as StoredPurchase | null;

export const findPurchase = async (db: Db, id: string): Promise<StoredPurchase | null> =>
  toPurchase(await db.purchase.findUnique({ where: { id } }));

export const findPurchases = async (db: Db, ids: readonly string[]): Promise<StoredPurchase[]> =>
  (await db.purchase.findMany({ where: { id: { in: [...ids] } } })) as StoredPurchase[];

/**
 * Until the transaction ends nobody else says anything of these payments: one that is paid, and money that moves of it, each see the
 * other's word, whichever comes first.
 */
export const lockPayments = async (db: Db, paymentIntentIds: readonly string[]): Promise<void> => {
  if (paymentIntentIds.length === 0) return;
  await db.$executeRaw`
    SELECT pg_advisory_xact_lock(hashtextextended(id, 0))
    FROM (SELECT DISTINCT id FROM unnest(${paymentIntentIds}::text[]) AS id ORDER BY id) AS payments`;
};

type Named = { readonly ids: readonly string[]; readonly paymentIntentIds?: readonly string[] };

/** By their ids, locked until the transaction ends: all that happens to a purchase queues here, and in one order for several. */
export const lockPurchases = async (
  db: Db,
  { ids, paymentIntentIds = [] }: Named,
): Promise<Map<string, StoredPurchase>> => {
  const locked = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM purchases WHERE id = ANY (${ids}::uuid[]) OR payment_intent_id = ANY (${paymentIntentIds})
    ORDER BY id FOR UPDATE`;
  if (locked.length === 0) return new Map();
  const rows = await findPurchases(
    db,
    locked.map(({ id }) => id),
  );
  return new Map(rows.map((row) => [row.id, row]));
};

/** Of the account, and of nobody else. */
export const findPurchaseOf = async (db: Db, accountId: string, id: string): Promise<StoredPurchase | null> =>
  toPurchase(await db.purchase.findFirst({ where: { id, accountId } }));

type NewPurchase = Pick<
  StoredPurchase,
  | 'id'
  | 'boughtBy'
  | 'accountId'
  | 'email'
  | 'block'
  | 'amount'
  | 'currency'
  | 'expiresAt'
  | 'createdAt'
  | 'customerId'
  | 'idempotencyKey'
>;

/** Of an account and its address: what it has, and what strangers have paid for it. Pages that they have not paid are no concern of it. */
const visibleTo = ({ accountId, email }: Owner) => ({
  OR: [{ accountId }, { accountId: null, email, state: 'paid' }],
});
export type Owner = { readonly accountId: string; readonly email: string };

export const findVisible = async (db: Db, owner: Owner, id: string): Promise<StoredPurchase | null> =>
  toPurchase(await db.purchase.findFirst({ where: { id, ...visibleTo(owner) } }));

/** What the same request has begun before; one whose page was never opened does not count. A stranger's key is of one block. */
export const findRepeated = async (
  db: Db,
  { accountId, email, block }: Pick<StoredPurchase, 'accountId' | 'email' | 'block'>,
  idempotencyKey: string,
): Promise<StoredPurchase | null> => {
  const OR = [{ pageUrl: { not: null } }, { state: 'opening' }];
  const buyer = email === null ? { accountId, email: null } : { email, block };
  return toPurchase(await db.purchase.findFirst({ where: { ...buyer, idempotencyKey, OR } }));
};

/** False if the account has a page open already, or the same request is opening one. One that nobody has paid in time is closed first. */
export const insertOpening = async (db: Db, purchase: NewPurchase): Promise<boolean> => {
  const { accountId, createdAt: now } = purchase;
  if (accountId !== null)
    await db.purchase.updateMany({
      where: { accountId, state: { in: ['opening', 'open'] }, expiresAt: { lte: now } },
      data: { state: 'expired', changedAt: now },
    });
  const data = [{ ...purchase, state: 'opening', changedAt: now }];
  const { count } = await db.purchase.createMany({ data, skipDuplicates: true });
  return count === 1;
};

/** The page that the account has open. */
export const findOpen = async (db: Db, accountId: string): Promise<StoredPurchase | null> =>
  toPurchase(await db.purchase.findFirst({ where: { accountId, state: { in: ['opening', 'open'] } } }));

export const markOpen = async (
  db: Db,
  id: string,
  { sessionId, pageUrl }: { readonly sessionId: string; readonly pageUrl: string },
): Promise<void> => {
  const data = { state: 'open', sessionId, pageUrl };
  await db.purchase.updateMany({ where: { id, state: 'opening' }, data });
};

/** Nobody has seen its page, or nobody has paid there. Whoever pays all the same has paid. */
export const markExpired = async (db: Db, id: string, now: Date): Promise<void> => {
  const where = { id, state: { in: ['opening', 'open', 'processing'] } };
  await db.purchase.updateMany({ where, data: { state: 'expired', changedAt: now } });
};

/** Closes pages whose time is over, and those whose opening was cut off. */
export const expireOld = async (db: Db, now: Date): Promise<number> => {
  const isOver = { state: { in: ['opening', 'open'] }, expiresAt: { lte: now } };
  const wasCutOff = { state: 'opening', createdAt: { lte: later(now, -OPENING_MS) } };
  const data = { state: 'expired', changedAt: now };
  return (await db.purchase.updateMany({ where: { OR: [isOver, wasCutOff] }, data })).count;
};

export type Payment = Pick<StoredPurchase, 'id' | 'sessionId' | 'customerId' | 'paymentIntentId'> & {
  readonly paidAt: Date;
};

/** One payment of each purchase. The processor counts whole seconds, and nothing is paid before it was opened. */
export const markPaid = async (db: Db, payments: readonly Payment[], now: Date): Promise<void> => {
  if (payments.length === 0) return;
  await db.$executeRaw`
    UPDATE purchases AS p
    SET state = 'paid', session_id = g."sessionId", customer_id = g."customerId",
      payment_intent_id = g."paymentIntentId", paid_at = greatest(g."paidAt", p.created_at), changed_at = ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(payments)}::jsonb)
      AS g (id uuid, "sessionId" text, "customerId" text, "paymentIntentId" text, "paidAt" timestamptz)
    WHERE p.id = g.id`;
};

/** Not from `expired`: that a payment has failed may be told before that it was begun. */
export const markProcessing = async (db: Db, id: string, sessionId: string, now: Date): Promise<void> => {
  const where = { id, state: { in: ['opening', 'open'] } };
  await db.purchase.updateMany({ where, data: { state: 'processing', sessionId, changedAt: now } });
};

export const saveReceipt = async (db: Db, id: string, receiptUrl: string): Promise<void> => {
  await db.purchase.updateMany({ where: { id }, data: { receiptUrl } });
};

/** So that the walk looks at it again. */
export const touch = async (db: Db, id: string, now: Date): Promise<void> => {
  await db.purchase.updateMany({ where: { id }, data: { changedAt: now } });
};

/** The purchase that a payment is of, known once it is paid. */
export const touchByPayment = async (
  db: Db,
  paymentIntentId: string,
  now: Date,
): Promise<StoredPurchase | null> => {
  const where = { paymentIntentId };
  const [row] = await db.purchase.updateManyAndReturn({ where, data: { changedAt: now } });
  return toPurchase(row ?? null);
};

export const listOf = async (
  db: Db,
  owner: Owner,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ purchases: StoredPurchase[]; total: number }> => {
  const where = visibleTo(owner);
  const [rows, total] = await Promise.all([
    db.purchase.findMany({
      where,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit,
      skip: offset,
    }),
    db.purchase.count({ where }),
  ]);
  return { purchases: rows as StoredPurchase[], total };
};

type PageOfPaid = { readonly since: Date; readonly after: StoredPurchase | null; readonly limit: number };

/** Those that are paid and have changed since then, the longest ago first. */
export const pageOfPaid = async (db: Db, { since, after, limit }: PageOfPaid): Promise<StoredPurchase[]> => {
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM purchases
    WHERE state = 'paid' AND changed_at >= ${since}::timestamptz
      AND (changed_at, id) > (${after?.changedAt ?? new Date(0)}::timestamptz, ${after?.id ?? FIRST_ID}::uuid)
    ORDER BY changed_at, id LIMIT ${limit}`;
  const where = { id: { in: found.map(({ id }) => id) } };
  const orderBy = [{ changedAt: 'asc' }, { id: 'asc' }] as const;
  return (await db.purchase.findMany({ where, orderBy: [...orderBy] })) as StoredPurchase[];
};

/** Deletes pages that nobody has paid; resolves to how many. */
export const deleteUnpaid = async (db: Db, before: Date, limit: number): Promise<number> =>
  db.$executeRaw`
    DELETE FROM purchases WHERE id IN (
      SELECT id FROM purchases WHERE state = 'expired' AND changed_at < ${before}::timestamptz
      ORDER BY changed_at LIMIT ${limit}
    )`;

export const knownIds = async (db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.purchase.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
};
