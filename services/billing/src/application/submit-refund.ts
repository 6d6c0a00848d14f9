import { crashPoint } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { refundState } from '../domain/processor-statuses.ts';
import { saveRefund } from '../store/moved-money.ts';
import { type StoredPurchase, touch } from '../store/purchases.ts';
import { findRequest, markSubmitted } from '../store/refund-requests.ts';

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
