import { serviceError, uuid } from '@tds/contracts';
import type { Work } from '../deps.ts';
import { disputeState, refundState } from '../domain/processor-statuses.ts';
import { saveDispute, saveRefund } from '../store/moved-money.ts';
import { findPurchase, saveReceipt, touchByPayment } from '../store/purchases.ts';
import * as wire from '../upstream/wire.ts';

/** Resolves to the purchase that is to be settled. */
type Effect = (work: Pick<Work, 'tx' | 'now'>, object: unknown) => Promise<string | null>;

const read = <Schema extends (typeof wire)['refund' | 'dispute' | 'charge']>(
  schema: Schema,
  object: unknown,
) => {
  const parsed = schema.safeParse(object);
  if (!parsed.success) throw serviceError('payment_event_invalid', { cause: parsed.error });
  return parsed.data as ReturnType<Schema['parse']>;
};

/**
 * Money that has moved is a fact, whatever our record says: it is saved, counted up to the purchase, and noted if it does not fit. Told
 * before the payment, it is found when that comes.
 */
const refunded: Effect = async ({ tx, now }, object) => {
  const { id, payment_intent: paymentIntentId, amount, currency, status } = read(wire.refund, object);
  if (!paymentIntentId) return null;
  const purchase = await touchByPayment(tx, paymentIntentId, now);
  await saveRefund(tx, { id, paymentIntentId, amount, currency, status: refundState(status) });
  return purchase?.id ?? null;
};

const disputed: Effect = async ({ tx, now }, object) => {
  const { id, payment_intent: paymentIntentId, amount, currency, status: told } = read(wire.dispute, object);
  const status = disputeState(told);
  if (!paymentIntentId || status === null) return null;
  const purchase = await touchByPayment(tx, paymentIntentId, now);
  await saveDispute(tx, { id, paymentIntentId, amount, currency, status });
  return purchase?.id ?? null;
};

/** Its receipt is all that is looked at: that it was paid, its session says. */
const charged: Effect = async ({ tx }, object) => {
  const { metadata, receipt_url: receiptUrl } = read(wire.charge, object);
  const purchaseId = uuid.safeParse(metadata?.purchase_id);
  if (purchaseId.success && receiptUrl && (await findPurchase(tx, purchaseId.data)))
    await saveReceipt(tx, purchaseId.data, receiptUrl);
  return null;
};

export const moneyEffects: ReadonlyMap<string, Effect> = new Map(
  Object.entries({
    'refund.created': refunded,
    'refund.updated': refunded,
    'refund.failed': refunded,
    'charge.refund.updated': refunded,
    'charge.dispute.created': disputed,
    'charge.dispute.updated': disputed,
    'charge.dispute.funds_withdrawn': disputed,
    'charge.dispute.funds_reinstated': disputed,
    'charge.dispute.closed': disputed,
    'charge.succeeded': charged,
  }),
);
