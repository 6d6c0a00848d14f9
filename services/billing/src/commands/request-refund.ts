import { billing, type RequestOf, serviceError } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { takeBack } from '../application/take-back.ts';
import type { Deps } from '../deps.ts';
import { refundOf, refuseBlock, refuseRefund } from '../domain/refund-rules.ts';
import { movedOf } from '../store/moved-money.ts';
import { findPurchaseOf, lockPurchases, type StoredPurchase, touch } from '../store/purchases.ts';
import { findRequest, insertRequest, type RefundRequest, statusesOf } from '../store/refund-requests.ts';

type Asked = RequestOf<typeof billing.requestRefund>;

const noMoney = { refunded: 0, disputed: 0 };
/** Longer than the ledger takes to answer: whoever asks does it first, and the task only what was cut off. */
const FOLLOW_AFTER_MS = 10_000;

/** Notes what is asked for before anything is done about it. Resolves to the request of this purchase, the first one for ever. */
const note = async (
  { db, messaging, now }: Deps,
  purchase: StoredPurchase,
  { reason }: Asked,
): Promise<RefundRequest> =>
  messaging.transaction(db, async (tx, send) => {
    const { id: purchaseId } = purchase;
    const locked = (await lockPurchases(tx, { ids: [purchaseId] })).get(purchaseId) ?? purchase;
    const before = await findRequest(tx, purchaseId);
    if (before !== null) return before;
    refuseRefund(locked, (await movedOf(tx, [purchaseId])).get(purchaseId) ?? noMoney);
    const at = await now();
    await insertRequest(tx, { purchaseId, reason, state: 'asked' }, at);
    await touch(tx, purchaseId, at);
    const options = { partition: purchaseId, delayMs: FOLLOW_AFTER_MS };
    await send.enqueue(billing.settlePurchase, { purchaseId }, options);
    return (await findRequest(tx, purchaseId)) as RefundRequest;
  });

const answer = async ({ db }: Deps, request: RefundRequest) => {
  if (request.state === 'refused') throw serviceError('payment_refund_invalid');
  const { processorId } = request;
  const said = processorId === null ? undefined : (await statusesOf(db, [processorId])).get(processorId);
  return refundOf(request, said);
};

export const requestRefund = onCommand(billing.requestRefund, async (deps: Deps, asked, context) => {
  const { accountId, purchaseId } = asked;
  const purchase = await findPurchaseOf(deps.db, accountId, purchaseId);
  if (!purchase) throw serviceError('purchase_not_found');
  const request = await note(deps, purchase, asked);
  context.record.add({ purchaseId, refund: request.id, state: request.state });
  if (request.state !== 'asked') return answer(deps, request);
  const outcome = await takeBack(deps, purchase, context);
  if (outcome !== 'taken') refuseBlock(outcome);
  return refundOf({ ...request, state: 'taken' }, undefined);
});
