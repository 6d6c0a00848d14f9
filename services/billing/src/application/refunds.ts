import { creditsLedger, purchaseRef } from '@tds/contracts';
import { type Context, crashPoint } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { refundState } from '../domain/processor-events.ts';
import { findRequest, forgetRequest, markSubmitted, markTaken, saveRefund } from '../store/moved-money.ts';
import { type StoredPurchase, touch } from '../store/purchases.ts';
import { enqueueSettling } from './settling.ts';

type Bought = { readonly id: string; readonly accountId: string | null };
type TakenBack = 'taken' | 'used' | 'in_debt' | 'unknown';

/**
 * Takes the block of a refund back that was asked for: from then on its money is to follow. What cannot be taken back was not asked for.
 * Whoever dies in between is followed by the task, which does the same.
 */
export const takeBack = async (
  { call, db, messaging }: Pick<Deps, 'call' | 'db' | 'messaging'>,
  { id, accountId }: Bought,
  context: Pick<Context, 'requestId' | 'accountId' | 'signal'>,
): Promise<TakenBack> => {
  if (accountId === null) return 'unknown';
  const block = { accountId, ref: purchaseRef(id) };
  const { outcome } = await call(creditsLedger.takeBackBlock, block, context);
  await messaging.transaction(db, async (tx, send) => {
    if (outcome !== 'taken') return forgetRequest(tx, id);
    await markTaken(tx, id);
    await enqueueSettling(send, id);
  });
  return outcome;
};

/**
 * Gives the money of a block back that is taken back; under the refund's own key, so that a repeat is none. Resolves to whether the
 * processor has refused it: then the block is to come back.
 */
export const submitRefund = async (
  { db, processor, messaging, now }: Pick<Deps, 'db' | 'processor' | 'messaging' | 'now'>,
  { id, paymentIntentId, amount }: StoredPurchase,
): Promise<'refused' | 'done'> => {
  const request = await findRequest(db, id);
  if (request?.state !== 'taken' || paymentIntentId === null) return 'done';
  const refund = await processor.refund(paymentIntentId, request.id, amount);
  crashPoint('refund-submitted');
  const at = await now();
  await messaging.transaction(db, async (tx) => {
    if (refund) {
      const { currency, status } = refund;
      const known = { id: refund.id, paymentIntentId, currency, amount: refund.amount };
      await saveRefund(tx, { ...known, status: refundState(status) });
    }
    await markSubmitted(tx, id, refund?.id ?? null);
    await touch(tx, id, at);
  });
  return refund ? 'done' : 'refused';
};
