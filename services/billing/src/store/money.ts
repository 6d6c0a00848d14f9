import { newId } from '@tds/contracts';
import type { ErrorCode } from '@tds/errors';
import type { Backlog } from '@tds/kit';
import type { RefundState } from '../domain/processor-events.ts';
import type { MovedMoney } from '../domain/purchase.ts';
import type { Database, Db } from './database.ts';
import type { Dispute, Refund, RefundRequest as StoredRequest } from './prisma/client.ts';

/** Saves a refund. A late or repeated report never takes its status back. */
export const saveRefund = async (db: Db, refund: Refund) => {
  const { id, paymentIntentId, amount, currency, status } = refund;
  await db.$executeRaw`
    INSERT INTO refunds AS r (id, payment_intent_id, amount, currency, status)
    VALUES (${id}, ${paymentIntentId}, ${amount}::integer, ${currency}, ${status}::refund_status)
    ON CONFLICT (id) DO UPDATE SET status = excluded.status WHERE excluded.status > r.status`;
};

/** Saves a dispute. A dispute that has ended stays ended. */
export const saveDispute = async (db: Db, dispute: Dispute) => {
  const { id, paymentIntentId, amount, currency, status } = dispute;
  await db.$executeRaw`
    INSERT INTO disputes AS d (id, payment_intent_id, amount, currency, status)
    VALUES (${id}, ${paymentIntentId}, ${amount}::integer, ${currency}, ${status}::dispute_status)
    ON CONFLICT (id) DO UPDATE SET status = excluded.status WHERE d.status = 'open'`;
};

/** Reads the returned and disputed money of these purchases, by their ids. */
export const findMovedMoney = async (
  db: Db,
  purchaseIds: readonly string[],
): Promise<Map<string, MovedMoney>> => {
  const rows = await db.$queryRaw<(MovedMoney & { readonly purchaseId: string })[]>`
    SELECT purchase_id AS "purchaseId", refunded, disputed, has_dispute AS "hasDispute", is_taken_back AS "isTakenBack"
    FROM moved_money WHERE purchase_id = ANY (${purchaseIds}::uuid[])`;
  return new Map(rows.map(({ purchaseId, ...money }) => [purchaseId, money]));
};

const REQUEST = { id: true, purchaseId: true, state: true, processorId: true } as const;
export type RefundRequest = Pick<StoredRequest, keyof typeof REQUEST>;

export const findRequest = async (db: Db, purchaseId: string): Promise<RefundRequest | null> =>
  db.refundRequest.findUnique({ where: { purchaseId }, select: REQUEST });

export const findRequests = async (
  db: Db,
  purchaseIds: readonly string[],
): Promise<Map<string, RefundRequest>> => {
  const where = { purchaseId: { in: [...purchaseIds] } };
  const rows = await db.refundRequest.findMany({ where, select: REQUEST });
  return new Map(rows.map((row) => [row.purchaseId, row]));
};

type NewRequest = Pick<StoredRequest, 'purchaseId' | 'reason' | 'state'> &
  Partial<Pick<StoredRequest, 'personId' | 'keyId'>>;

/** Inserts a refund request, unless the purchase has one. Resolves to whether it is new. */
export const insertRequest = async (db: Db, request: NewRequest, askedAt: Date): Promise<boolean> => {
  const data = [{ ...request, id: newId(), askedAt }];
  return (await db.refundRequest.createMany({ data, skipDuplicates: true })).count === 1;
};

/** Finds the time of the `count`-th newest refund of these accounts since then that the processor has not rejected; null if there are fewer. */
export const findRefundAt = async (
  db: Db,
  accountIds: readonly string[],
  { count, since }: { readonly count: number; readonly since: Date },
): Promise<Date | null> => {
  const rows = await db.refundRequest.findMany({
    where: {
      purchase: { accountId: { in: [...accountIds] } },
      state: { not: 'refused' },
      askedAt: { gt: since },
    },
    orderBy: { askedAt: 'desc' },
    skip: count - 1,
    take: 1,
  });
  return rows[0]?.askedAt ?? null;
};

/** Deletes a request whose block could not be taken back, so that the customer may ask again. */
export const deleteRequest = (db: Db, purchaseId: string) =>
  db.refundRequest.deleteMany({ where: { purchaseId, state: 'asked' } });

/** Resolves to who requested it; null if its block was taken before. */
export const markTaken = async (
  db: Db,
  purchaseId: string,
): Promise<Pick<StoredRequest, 'personId' | 'keyId'> | null> => {
  const where = { purchaseId, state: 'asked' } as const;
  const [request] = await db.refundRequest.updateManyAndReturn({ where, data: { state: 'taken' } });
  return request ?? null;
};

/** Saves the processor's answer to a refund: its id there, or null if the processor rejects it. */
export const markSubmitted = async (db: Db, purchaseId: string, processorId: string | null) => {
  const state = processorId === null ? 'refused' : 'submitted';
  await db.refundRequest.updateMany({ where: { purchaseId, state: 'taken' }, data: { state, processorId } });
};

/** Reads the statuses of refunds by their ids at the processor. */
export const findRefundStatuses = async (db: Db, ids: readonly string[]): Promise<Map<string, RefundState>> => {
  const where = { id: { in: [...ids] } };
  const rows = await db.refund.findMany({ where, select: { id: true, status: true } });
  return new Map(rows.map(({ id, status }) => [id, status]));
};

/** Notes refunds and disputes of a purchase that exceed its price or have another currency, for an operator. */
export const noteMismatches = async (db: Db, purchaseId: string) => {
  const codes: readonly ErrorCode[] = ['payment_refund_mismatch', 'payment_dispute_mismatch'];
  await db.$executeRaw`
    INSERT INTO mismatched_payments (id, code, purchase_id)
    SELECT m.id, m.code, p.id FROM purchases AS p JOIN (
      SELECT id, payment_intent_id, amount, currency, ${codes[0]}::text AS code FROM refunds
      UNION ALL SELECT id, payment_intent_id, amount, currency, ${codes[1]}::text FROM disputes
    ) AS m USING (payment_intent_id)
    WHERE p.id = ${purchaseId}::uuid AND (m.amount > p.amount OR m.currency <> p.currency)
    ON CONFLICT (id) DO NOTHING`;
};

/** Notes an event that contradicts our purchase, once, for an operator. */
export const noteMismatch = (db: Db, id: string, code: ErrorCode) =>
  db.mismatchedPayment.createMany({ data: [{ id, code }], skipDuplicates: true });

/** Mismatched payments that no operator has looked at. */
export const countMismatched = async (db: Database): Promise<Backlog> => {
  const [row] = await db.$queryRaw<Required<Backlog>[]>`
    SELECT count(*)::int AS count,
      coalesce(extract(epoch FROM now() - min(noted_at)), 0)::float8 AS "oldestSeconds"
    FROM mismatched_payments WHERE looked_at IS NULL`;
  return row ?? { count: 0 };
};
