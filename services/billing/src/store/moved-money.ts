import { type ErrorCode, newId } from '@tds/contracts';
import type { DisputeState, RefundState } from '../domain/processor-events.ts';
import type { Moved } from '../domain/purchase.ts';
import type { Db } from './database.ts';
import { Prisma } from './prisma/client.ts';

type KnownRefund = {
  readonly id: string;
  readonly paymentIntentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: RefundState;
};
type KnownDispute = Omit<KnownRefund, 'status'> & { readonly status: DisputeState };

/** A status only goes further: what is told late, or twice, takes nothing back. */
export const saveRefund = async (db: Db, refund: KnownRefund): Promise<void> => {
  const { id, paymentIntentId, amount, currency, status } = refund;
  await db.$executeRaw`
    INSERT INTO refunds AS r (id, payment_intent_id, amount, currency, status)
    VALUES (${id}, ${paymentIntentId}, ${amount}::integer, ${currency}, ${status})
    ON CONFLICT (id) DO UPDATE SET status = excluded.status
    WHERE array_position(ARRAY['pending', 'succeeded', 'failed'], excluded.status)
      > array_position(ARRAY['pending', 'succeeded', 'failed'], r.status)`;
};

/** As with refunds; a dispute that has ended stays ended. */
export const saveDispute = async (db: Db, dispute: KnownDispute): Promise<void> => {
  const { id, paymentIntentId, amount, currency, status } = dispute;
  await db.$executeRaw`
    INSERT INTO disputes AS d (id, payment_intent_id, amount, currency, status)
    VALUES (${id}, ${paymentIntentId}, ${amount}::integer, ${currency}, ${status})
    ON CONFLICT (id) DO UPDATE SET status = excluded.status WHERE d.status = 'open'`;
};

/** Of moved money m at most the purchase p counts, and all of it if the currency is another one: nobody can compare those. */
const counted = (table: 'refunds' | 'disputes', undone: 'failed' | 'won') => Prisma.sql`
  SELECT least(p.amount, coalesce(sum(CASE WHEN m.currency = p.currency THEN m.amount ELSE p.amount END), 0))::integer
  FROM ${Prisma.raw(table)} AS m WHERE m.payment_intent_id = p.payment_intent_id AND m.status <> ${undone}`;

/** What has moved of the purchase p, as one row. */
export const MOVED = Prisma.sql`
  SELECT (${counted('refunds', 'failed')}) AS refunded, (${counted('disputes', 'won')}) AS disputed,
    EXISTS (SELECT FROM refund_requests AS q WHERE q.purchase_id = p.id AND q.state = 'taken') AS is_taken_back`;

export type MovedMoney = Pick<Moved, 'refunded' | 'disputed' | 'isTakenBack'> & {
  readonly purchaseId: string;
  readonly hasDispute: boolean;
};

/** What money has moved of these purchases, with what customers have asked for. */
export const movedOf = async (db: Db, purchaseIds: readonly string[]): Promise<Map<string, MovedMoney>> => {
  const rows = await db.$queryRaw<MovedMoney[]>`
    SELECT p.id AS "purchaseId", m.refunded, m.disputed, m.is_taken_back AS "isTakenBack",
      EXISTS (SELECT FROM disputes AS d WHERE d.payment_intent_id = p.payment_intent_id) AS "hasDispute"
    FROM purchases AS p CROSS JOIN LATERAL (${MOVED}) AS m WHERE p.id = ANY (${purchaseIds}::uuid[])`;
  return new Map(rows.map((row) => [row.purchaseId, row]));
};

/** Notes refunds and disputes that are more than their purchase, or in another currency, for an operator to look at. */
export const noteMisfitsOf = async (db: Db, purchaseId: string): Promise<void> => {
  const codes: readonly ErrorCode[] = ['payment_refund_mismatch', 'payment_dispute_mismatch'];
  await db.$executeRaw`
    INSERT INTO misfits (id, code, purchase_id)
    SELECT m.id, m.code, p.id FROM purchases AS p JOIN (
      SELECT id, payment_intent_id, amount, currency, ${codes[0]}::text AS code FROM refunds
      UNION ALL SELECT id, payment_intent_id, amount, currency, ${codes[1]}::text FROM disputes
    ) AS m USING (payment_intent_id)
    WHERE p.id = ${purchaseId}::uuid AND (m.amount > p.amount OR m.currency <> p.currency)
    ON CONFLICT (id) DO NOTHING`;
};

/** Notes an event that our record contradicts; the first time stays. */
export const noteMisfit = async (db: Db, id: string, code: ErrorCode): Promise<void> => {
  await db.misfit.createMany({ data: [{ id, code }], skipDuplicates: true });
};

type RequestState = 'asked' | 'taken' | 'submitted' | 'refused';
export type RefundRequest = {
  readonly id: string;
  readonly purchaseId: string;
  readonly state: RequestState;
  readonly processorId: string | null;
};

const SELECTED = { id: true, purchaseId: true, state: true, processorId: true } as const;

export const findRequest = async (db: Db, purchaseId: string): Promise<RefundRequest | null> =>
  (await db.refundRequest.findUnique({ where: { purchaseId }, select: SELECTED })) as RefundRequest | null;

type Asked = { readonly purchaseId: string; readonly reason: string | null; readonly state: RequestState };

/** One for each purchase; the first stays. */
export const insertRequest = async (db: Db, asked: Asked, askedAt: Date): Promise<void> => {
  await db.refundRequest.createMany({ data: [{ ...asked, id: newId(), askedAt }], skipDuplicates: true });
};

/** Nothing was taken back, so nothing was asked for. */
export const forgetRequest = async (db: Db, purchaseId: string): Promise<void> => {
  await db.refundRequest.deleteMany({ where: { purchaseId, state: 'asked' } });
};

export const markTaken = async (db: Db, purchaseId: string): Promise<void> => {
  await db.refundRequest.updateMany({ where: { purchaseId, state: 'asked' }, data: { state: 'taken' } });
};

/** Null for what the processor has refused. */
export const markSubmitted = async (
  db: Db,
  purchaseId: string,
  processorId: string | null,
): Promise<void> => {
  const state: RequestState = processorId === null ? 'refused' : 'submitted';
  await db.refundRequest.updateMany({ where: { purchaseId, state: 'taken' }, data: { state, processorId } });
};

/** The processor's word on refunds, by their ids there. */
export const statusesOf = async (db: Db, ids: readonly string[]): Promise<Map<string, RefundState>> => {
  const rows = await db.refund.findMany({
    where: { id: { in: [...ids] } },
    select: { id: true, status: true },
  });
  return new Map(rows.map(({ id, status }) => [id, status as RefundState]));
};

export const requestsOf = async (
  db: Db,
  purchaseIds: readonly string[],
): Promise<Map<string, RefundRequest>> => {
  const where = { purchaseId: { in: [...purchaseIds] } };
  const rows = (await db.refundRequest.findMany({ where, select: SELECTED })) as RefundRequest[];
  return new Map(rows.map((row) => [row.purchaseId, row]));
};
