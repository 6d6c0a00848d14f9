import { serviceError } from '@tds/contracts';

/** What a purchase and a session of the processor have in common. */
type OwnRecord = {
  readonly sessionId: string | null;
  readonly customerId: string | null;
  readonly paymentIntentId: string | null;
  readonly amount: number;
  readonly currency: string;
  readonly block: number;
};
type Told = {
  readonly id: string;
  readonly customer?: string | null | undefined;
  readonly payment_intent?: string | null | undefined;
  readonly amount_total: number | null;
  readonly currency: string | null;
  readonly metadata?: { readonly [name: string]: string } | null | undefined;
};

/** Throws if a session says something else than our own record: an event is believed only where both say the same. */
export const refuseOtherSession = (purchase: OwnRecord, session: Told): void => {
  const { sessionId, customerId, amount, currency, block } = purchase;
  if (sessionId !== null && sessionId !== session.id) throw serviceError('payment_session_mismatch');
  if (customerId !== null && customerId !== session.customer) throw serviceError('payment_customer_mismatch');
  const isProduct = amount === session.amount_total && currency === session.currency;
  if (!isProduct || String(block) !== session.metadata?.block) throw serviceError('payment_product_mismatch');
};

/** The payment of a session that is paid. Throws if there is none, or the purchase was paid by another one. */
export const paymentIntentOf = ({ paymentIntentId: before }: OwnRecord, session: Told): string => {
  const paymentIntentId = session.payment_intent ?? null;
  if (paymentIntentId === null || (before !== null && before !== paymentIntentId))
    throw serviceError('payment_session_mismatch');
  return paymentIntentId;
};

export type SessionNews = 'paid' | 'awaited' | 'expired';

/** A payment that takes days is told as completed first, and as paid later. */
const ofType = {
  'checkout.session.completed': 'paid',
  'checkout.session.async_payment_succeeded': 'paid',
  'checkout.session.async_payment_failed': 'expired',
  'checkout.session.expired': 'expired',
} as const satisfies Record<string, SessionNews>;

type SessionType = keyof typeof ofType;

/** Whether an event of this kind says something of a purchase's session. */
export const isOfSession = (type: string): type is SessionType => Object.hasOwn(ofType, type);

/** What an event of a session means for its purchase. */
export const newsOf = (
  type: SessionType,
  { payment_status: status }: { readonly payment_status: string },
): SessionNews => {
  const isAwaited = type === 'checkout.session.completed' && status === 'unpaid';
  return isAwaited ? 'awaited' : ofType[type];
};

export type RefundState = 'pending' | 'succeeded' | 'failed';
export type DisputeState = 'open' | 'won' | 'lost';

/** In the processor's words; what is not known yet is under way. */
export const refundState = (status: string | null): RefundState => {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
};

/** Null for an inquiry, which moves no money. */
export const disputeState = (status: string): DisputeState | null => {
  if (status.startsWith('warning_')) return null;
  // What a bank prevented from becoming a dispute was given back as a refund, which is told by itself.
  if (status === 'won' || status === 'prevented') return 'won';
  return status === 'lost' ? 'lost' : 'open';
};
