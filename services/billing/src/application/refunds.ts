import { billing, creditsLedger, purchaseRef } from '@tds/contracts';
import type { CallContext } from '@tds/kit';
import { crashPoint } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { refundState } from '../domain/processor-events.ts';
import { isUntouched } from '../domain/purchase.ts';
import type { Db } from '../store/database.ts';
import {
  deleteRequest,
  findRequest,
  insertRequest,
  markSubmitted,
  markTaken,
  noteMismatch,
  saveRefund,
} from '../store/money.ts';
import { lockPurchases, type StoredPurchase, touch } from '../store/purchases.ts';
import { ACCOUNT_CLOSED, enqueueSettling, findWholePurchases } from './settling.ts';

/**
 * Takes the block of a requested refund back, so that its money follows. Deletes the request if the ledger does not take the block back.
 * If the process dies in between, the task repeats this.
 */
export const takeBackCredits = async (
  { call, db, messaging }: Pick<Deps, 'call' | 'db' | 'messaging'>,
  { id, accountId, block: credits }: Pick<StoredPurchase, 'id' | 'accountId' | 'block'>,
  context: CallContext,
): Promise<'taken' | 'used' | 'in_debt' | 'unknown'> => {
  if (accountId === null) return 'unknown';
  const block = { accountId, ref: purchaseRef(id) };
  const { outcome } = await call(creditsLedger.takeBackBlock, block, context);
  await messaging.transaction(db, async (tx, send) => {
    if (outcome !== 'taken') return deleteRequest(tx, id);
    const { personId = null, keyId = null } = (await markTaken(tx, id)) ?? {};
    if (personId !== null)
      await send.emit(billing.blockRefunded, {
        ...{ accountId, purchaseId: id, block: credits },
        by: { keyId, personId },
      });
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
      const columns = { id: refundId, paymentIntentId, currency, amount: refunded };
      await saveRefund(tx, { ...columns, status: refundState(status) });
    }
    await markSubmitted(tx, id, refund?.id ?? null);
  });
  return refund ? 'done' : 'refused';
};

/** Notes for an operator a refund that the processor or the bank has rejected, if its buyer has no use of the credits. */
export const recordRejectedRefund = async (db: Db, purchaseId: string) => {
  const request = await findRequest(db, purchaseId);
  if (request?.state === 'refused' || request?.state === 'submitted')
    await noteMismatch(db, request.id, 'payment_refund_invalid');
};

/** Requests the refund of an untouched block of a closed account, as its holder could have done before. */
export const requestUntouchedRefund = async (
  { call, db, messaging, now }: Pick<Deps, 'call' | 'db' | 'messaging' | 'now'>,
  { id: purchaseId }: Pick<StoredPurchase, 'id'>,
  context: CallContext,
) => {
  const { rows } = await call(creditsLedger.lookUpGrants, { refs: [purchaseRef(purchaseId)] }, context);
  const [block] = rows;
  if (block && !isUntouched(block)) return;
  const at = await now();
  await messaging.transaction(db, async (tx, send) => {
    const purchases = await lockPurchases(tx, { ids: [purchaseId] });
    if ((await findWholePurchases(tx, purchases.values())).length === 0) return;
    const request = { purchaseId, reason: ACCOUNT_CLOSED, state: 'asked' } as const;
    if (block && (await insertRequest(tx, request, at))) await enqueueSettling(send, purchaseId);
    else await recordRejectedRefund(tx, purchaseId);
  });
};
