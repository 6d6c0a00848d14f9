import { serviceError } from '@tds/contracts';
import type { Work } from '../deps.ts';
import { markExpired, markProcessing, type StoredPurchase } from '../store/purchases.ts';
import type { Session } from '../upstream/wire.ts';

const MS = 1_000;

/** An event is believed only where it says what our own record says. */
const compare = (purchase: StoredPurchase, session: Session): void => {
  const { sessionId, customerId, amount, currency, block } = purchase;
  if (sessionId !== null && sessionId !== session.id) throw serviceError('payment_session_mismatch');
  if (customerId !== null && customerId !== session.customer) throw serviceError('payment_customer_mismatch');
  const isProduct = amount === session.amount_total && currency === session.currency;
  if (!isProduct || String(block) !== session.metadata?.block) throw serviceError('payment_product_mismatch');
};

export type SessionTold = {
  readonly purchaseId: string;
  readonly session: Session;
  readonly created: number;
};

const comparedOf = ({ purchases }: Work, { purchaseId, session }: SessionTold): StoredPurchase => {
  const purchase = purchases.get(purchaseId);
  if (!purchase) throw new Error(`the purchase ${purchaseId} is gone`);
  compare(purchase, session);
  return purchase;
};

/** Resolves to whether there is something to settle. */
const pay = async (work: Work, told: SessionTold): Promise<boolean> => {
  const { session, created } = told;
  const purchase = comparedOf(work, told);
  const { paymentIntentId: before, state, id } = purchase;
  const paymentIntentId = session.payment_intent ?? null;
  if (paymentIntentId === null || (before !== null && before !== paymentIntentId))
    throw serviceError('payment_session_mismatch');
  if (state === 'paid') return true;
  const payment = { paymentIntentId, customerId: session.customer ?? null, sessionId: session.id };
  work.payments.push({ id, ...payment, paidAt: new Date(created * MS) });
  // Also for what comes with it.
  work.purchases.set(id, { ...purchase, ...payment, state: 'paid' });
  return true;
};

const awaitPayment = async (work: Work, told: SessionTold): Promise<boolean> => {
  comparedOf(work, told);
  await markProcessing(work.tx, told.purchaseId, told.session.id, work.now);
  return false;
};

const expire = async (work: Work, told: SessionTold): Promise<boolean> => {
  comparedOf(work, told);
  await markExpired(work.tx, told.purchaseId, work.now);
  return false;
};

type Effect = (work: Work, told: SessionTold) => Promise<boolean>;

/** What the kinds of events of a session do; a payment that takes days is told as completed first, and as paid later. */
export const sessionEffects: ReadonlyMap<string, Effect> = new Map(
  Object.entries<Effect>({
    'checkout.session.completed': (work, told) =>
      told.session.payment_status === 'unpaid' ? awaitPayment(work, told) : pay(work, told),
    'checkout.session.async_payment_succeeded': pay,
    'checkout.session.async_payment_failed': expire,
    'checkout.session.expired': expire,
  }),
);
