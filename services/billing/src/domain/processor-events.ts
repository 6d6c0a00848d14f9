import { serviceError } from '@tds/errors';

export type RefundState = 'pending' | 'succeeded' | 'failed';
export type DisputeState = 'open' | 'won' | 'lost';

/** Reads the processor's status of a refund. An unknown status counts as pending. */
export const refundState = (status: string | null): RefundState => {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
};

/** Reads the processor's status of a dispute; null for an inquiry, which moves no money. */
export const disputeState = (status: string): DisputeState | null => {
  if (status.startsWith('warning_')) return null;
  // A prevented dispute was refunded, and that refund has events of its own.
  if (status === 'won' || status === 'prevented') return 'won';
  return status === 'lost' ? 'lost' : 'open';
};

/** The fields that a purchase and a session of the processor share. */
type OwnRecord = {
  readonly sessionId: string | null;
  readonly customerId: string | null;
  readonly paymentIntentId: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly block: number;
};
type ReportedSession = {
  readonly id: string;
  readonly customer?: string | null | undefined;
  readonly payment_intent?: string | null | undefined;
  readonly amount_total: number | null;
  readonly currency: string | null;
  readonly metadata?: { readonly [name: string]: string } | null | undefined;
};

/** Throws if a session contradicts our purchase: an event counts only if both agree. */
export const refuseOtherSession = (purchase: OwnRecord, session: ReportedSession) => {
  const { sessionId, customerId, amount, currency, block } = purchase;
  if (sessionId !== null && sessionId !== session.id) throw serviceError('payment_session_mismatch');
  if (customerId !== null && customerId !== session.customer) throw serviceError('payment_customer_mismatch');
  const isProduct = amount === session.amount_total && currency === session.currency;
  if (!isProduct || String(block) !== session.metadata?.block) throw serviceError('payment_product_mismatch');
};

/** Reads the payment of a paid session. Throws if it has none, or if another payment has paid the purchase. */
export const readPaymentIntent = (
  { paymentIntentId: previousId }: OwnRecord,
  session: ReportedSession,
): string => {
  const paymentIntentId = session.payment_intent ?? null;
  if (paymentIntentId === null || (previousId !== null && previousId !== paymentIntentId))
    throw serviceError('payment_session_mismatch');
  return paymentIntentId;
};

export type SessionOutcome = 'paid' | 'awaited' | 'expired';

const outcomesByType = {
  'checkout.session.completed': 'paid',
  'checkout.session.async_payment_succeeded': 'paid',
  'checkout.session.async_payment_failed': 'expired',
  'checkout.session.expired': 'expired',
} as const satisfies Record<string, SessionOutcome>;

type SessionType = keyof typeof outcomesByType;

/** Whether an event of this type reports a session that we read. */
export const isSessionEvent = (type: string): type is SessionType => Object.hasOwn(outcomesByType, type);

/** The meaning of an event of a session. A payment that takes days is first reported as completed and unpaid. */
export const toOutcome = (
  type: SessionType,
  { payment_status: status }: { readonly payment_status: string },
): SessionOutcome =>
  type === 'checkout.session.completed' && status === 'unpaid' ? 'awaited' : outcomesByType[type];
