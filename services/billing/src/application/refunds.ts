import { creditsLedger, purchaseRef } from '@tds/contracts';
import { type Context, crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { refundState } from '../domain/processor-events.ts';
import { deleteRequest, findRequest, markSubmitted, markTaken, saveRefund } from '../store/money.ts';
import { type StoredPurchase, touch } from '../store/purchases.ts';
import { enqueueSettling } from './settling.ts';

/**
 * Takes the block of a requested refund back, so that its money follows. Deletes the request if the ledger does not take the block back.
 * If the process dies in between, the task repeats this.
 */
export const takeBack = async (
  { call, db, messaging }: Pick<Deps, 'call' | 'db' | 'messaging'>,
  { id, accountId }: Pick<StoredPurchase, 'id' | 'accountId'>,
  context: Pick<Context, 'requestId' | 'accountId' | 'signal'>,
): Promise<'taken' | 'used' | 'in_debt' | 'unknown'> => {
  if (accountId === null) return 'unknown';
  const block = { accountId, ref: purchaseRef(id) };
  const { outcome } = await call(creditsLedger.takeBackBlock, block, context);
  await messaging.transaction(db, async (tx, send) => {
    if (outcome !== 'taken') return deleteRequest(tx, id);
    await markTaken(tx, id);
    await enqueueSettling(send, id);
  });
  return outcome;
};

/**
 * Returns what is left of the money of a block that is taken back. The refund's id is the idempotency key at the processor, so a repeat moves no money.
 * Resolves to `refused` if the processor rejects the refund: the block must come back then.
 */
export const submitRefund = async (
  { db, processor, messaging, now }: Pick<Deps, 'db' | 'processor' | 'messaging' | 'now'>,
  { id, paymentIntentId }: Pick<StoredPurchase, 'id' | 'paymentIntentId'>,
): Promise<'refused' | 'done'> => {
  const request = await findRequest(db, id);
  if (request?.state !== 'taken' || paymentIntentId === null) return 'done';
  const refund = await processor.refund(paymentIntentId, request.id);
  crashPoint('refund-submitted');
  const at = await now();
  await messaging.transaction(db, async (tx) => {
    // First, as events do: the refund's own event may be saved at the same moment.
    await touch(tx, id, at);
    if (refund) {
      const { id: refundId, currency, amount: refunded, status } = refund;
      const known = { id: refundId, paymentIntentId, currency, amount: refunded };
      await saveRefund(tx, { ...known, status: refundState(status) });
    }
    await markSubmitted(tx, id, refund?.id ?? null);
  });
  return refund ? 'done' : 'refused';
};
