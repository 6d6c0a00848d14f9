import type { DisputeState, RefundState } from '../domain/processor-statuses.ts';
import type { Moved } from '../domain/purchase-worth.ts';
import type { Db } from './database.ts';

export type KnownRefund = {
  readonly id: string;
  readonly paymentIntentId: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: RefundState;
};
export type KnownDispute = Omit<KnownRefund, 'status'> & { readonly status: DisputeState };

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

export type MovedMoney = Pick<Moved, 'refunded' | 'disputed' | 'isTakenBack'> & {
  readonly purchaseId: string;
  readonly hasDispute: boolean;
};

/** What money has moved of these purchases, with what customers have asked for. */
export const movedOf = async (db: Db, purchaseIds: readonly string[]): Promise<Map<string, MovedMoney>> => {
  const rows = await db.$queryRaw<MovedMoney[]>`
    SELECT p.id AS "purchaseId",
      (SELECT coalesce(sum(r.amount), 0)::integer FROM refunds AS r
       WHERE r.payment_intent_id = p.payment_intent_id AND r.status <> 'failed') AS refunded,
      (SELECT coalesce(sum(d.amount), 0)::integer FROM disputes AS d
       WHERE d.payment_intent_id = p.payment_intent_id AND d.status <> 'won') AS disputed,
      EXISTS (SELECT FROM disputes AS d WHERE d.payment_intent_id = p.payment_intent_id) AS "hasDispute",
      EXISTS (SELECT FROM refund_requests AS q WHERE q.purchase_id = p.id AND q.state = 'taken') AS "isTakenBack"
    FROM purchases AS p WHERE p.id = ANY (${purchaseIds}::uuid[])`;
  return new Map(rows.map((row) => [row.purchaseId, row]));
};
