import { serviceError } from '@tds/contracts';
import type { Work } from '../deps.ts';
import { paymentIntentOf, refuseOtherSession, type SessionNews } from '../domain/session-rules.ts';
import { markExpired, markProcessing, type StoredPurchase } from '../store/purchases.ts';
import type { Session } from '../upstream/wire.ts';

const MS = 1_000;

export type SessionTold = {
  readonly purchaseId: string;
  readonly session: Session;
  readonly created: number;
  readonly news: SessionNews;
};

/** What was paid is saved with all payments of the batch, and known to what comes with it. */
const pay = (work: Work, purchase: StoredPurchase, { session, created }: SessionTold): void => {
  const paymentIntentId = paymentIntentOf(purchase, session);
  const { state, id } = purchase;
  if (state === 'paid') return;
  const payment = { paymentIntentId, customerId: session.customer ?? null, sessionId: session.id };
  work.payments.push({ id, ...payment, paidAt: new Date(created * MS) });
  work.purchases.set(id, { ...purchase, ...payment, state: 'paid' });
};

/** Resolves to whether there is something to settle. Throws what our record says otherwise. */
export const applySession = async (work: Work, told: SessionTold): Promise<boolean> => {
  const { purchaseId, session, news } = told;
  const purchase = work.purchases.get(purchaseId);
  // The processor knows this session as that of another purchase.
  if (!purchase) throw serviceError('payment_session_mismatch');
  refuseOtherSession(purchase, session);
  if (news === 'paid') pay(work, purchase, told);
  if (news === 'awaited') await markProcessing(work.tx, purchaseId, session.id, work.now);
  if (news === 'expired') await markExpired(work.tx, purchaseId, work.now);
  return news === 'paid';
};
