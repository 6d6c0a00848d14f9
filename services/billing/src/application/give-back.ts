import type { Deps } from '../deps.ts';
import { lockPurchases } from '../store/purchases.ts';
import { insertRequest } from '../store/refund-requests.ts';
import { enqueueSettling } from './enqueue-settling.ts';

/** Has the money of a purchase returned whose credits were never granted; not if somebody has let it in meanwhile. */
export const giveBack = async (
  { db, messaging, now }: Pick<Deps, 'db' | 'messaging' | 'now'>,
  purchaseId: string,
  reason: string,
): Promise<void> => {
  const at = await now();
  await messaging.transaction(db, async (tx, send) => {
    const purchase = (await lockPurchases(tx, { ids: [purchaseId] })).get(purchaseId);
    if (!purchase || purchase.admittedAt !== null) return;
    await insertRequest(tx, { purchaseId, reason, state: 'taken' }, at);
    await enqueueSettling(send, purchaseId);
  });
};
