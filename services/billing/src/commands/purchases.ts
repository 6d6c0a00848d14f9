import {
  billing,
  creditsLedger,
  type FoundBlock,
  identity,
  type Purchase,
  purchaseRef,
  type RequestOf,
  serviceError,
} from '@tds/contracts';
import { type Context, onCommand } from '@tds/service-kit';
import { takeBack } from '../application/refunds.ts';
import { enqueueSettling } from '../application/settling.ts';
import type { Deps } from '../deps.ts';
import { refuseAcceptance } from '../domain/checkout.ts';
import { isRefundable, refundOf, refuseBlock, refuseRefund, statusOf, worthOf } from '../domain/purchase.ts';
import { countStanding, lockLimits, saveAdmitted } from '../store/limited-purchases.ts';
import {
  findRequest,
  insertRequest,
  type MovedMoney,
  movedOf,
  type RefundRequest,
  requestsOf,
  statusesOf,
} from '../store/moved-money.ts';
import {
  findPurchaseOf,
  findVisible,
  listOf,
  lockPurchases,
  type StoredPurchase,
  touch,
} from '../store/purchases.ts';

type Known = {
  readonly moved: MovedMoney | undefined;
  readonly request: RefundRequest | undefined;
  readonly refundStatus: ReturnType<typeof refundOf>['status'] | undefined;
  readonly block: FoundBlock | undefined;
  readonly now: Date;
};

const toPurchase = (purchase: StoredPurchase, known: Known): Purchase => {
  const { id, block, amount, currency, boughtBy, createdAt, paidAt, receiptUrl } = purchase;
  const { request, refundStatus, moved, now } = known;
  const status = statusOf(purchase, moved, now);
  const creditsLeft = known.block?.left ?? 0;
  return {
    // The receipt of a stranger is the stranger's.
    ...{ id, block, amount, currency, status, boughtBy, creditsLeft },
    receiptUrl: boughtBy === 'account' ? receiptUrl : null,
    createdAt: createdAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
    isRefundable: isRefundable({ status, block, creditsLeft, hasRequest: request !== undefined }),
    refund: request === undefined ? null : refundOf(request, refundStatus),
  };
};

/** Purchases as their owner sees them, with what the ledger has of them and the processor says of their refunds. */
const showPurchases = async (
  { db, call, now }: Pick<Deps, 'db' | 'call' | 'now'>,
  purchases: readonly StoredPurchase[],
  context: Context,
): Promise<Purchase[]> => {
  const ids = purchases.map(({ id }) => id);
  const [moved, requests, { rows: blocks }] = await Promise.all([
    movedOf(db, ids),
    requestsOf(db, ids),
    call(creditsLedger.lookUpGrants, { refs: ids.map(purchaseRef) }, context),
  ]);
  const said = await statusesOf(
    db,
    [...requests.values()].flatMap(({ processorId }) => processorId ?? []),
  );
  const blockOf = new Map(blocks.map((block) => [block.ref, block]));
  const at = await now();
  return purchases.map((purchase) => {
    const request = requests.get(purchase.id);
    return toPurchase(purchase, {
      moved: moved.get(purchase.id),
      request,
      refundStatus: said.get(request?.processorId ?? ''),
      block: blockOf.get(purchaseRef(purchase.id)),
      now: at,
    });
  });
};

export const listPurchases = onCommand(
  billing.listPurchases,
  async (deps: Pick<Deps, 'db' | 'call' | 'now'>, { accountId, ...page }, context) => {
    const { email } = await deps.call(identity.getAccount, { accountId, keyId: null }, context);
    const { purchases, total } = await listOf(deps.db, { accountId, email }, page);
    return { purchases: await showPurchases(deps, purchases, context), total };
  },
);

type Accepting = { readonly accountId: string; readonly purchaseId: string };

/** Takes a waiting purchase into the account, under the same limit as one of its own: nobody comes around that by buying as a stranger. */
const accept = async (deps: Deps, { accountId, purchaseId }: Accepting, context: Context): Promise<void> => {
  const { spent } = await deps.call(creditsLedger.getSpending, { accountId }, context);
  const now = await deps.now();
  await deps.messaging.transaction(deps.db, async (tx, send) => {
    await lockLimits(tx, [accountId]);
    const purchase = (await lockPurchases(tx, { ids: [purchaseId] })).get(purchaseId);
    const moved = (await movedOf(tx, [purchaseId])).get(purchaseId);
    if (!purchase || !moved) throw serviceError('purchase_not_found');
    // Somebody was faster, who has the same account.
    if (purchase.accountId !== null) return;
    const account = { standing: await countStanding(tx, accountId), spent };
    refuseAcceptance(account, worthOf({ ...purchase, ...moved }));
    await saveAdmitted(tx, purchaseId, accountId, now);
    await enqueueSettling(send, purchaseId);
  });
};

export const acceptPurchase = onCommand(billing.acceptPurchase, async (deps: Deps, asked, context) => {
  const { accountId, purchaseId } = asked;
  const { email } = await deps.call(identity.getAccount, { accountId, keyId: null }, context);
  const owner = { accountId, email };
  const found = await findVisible(deps.db, owner, purchaseId);
  if (!found) throw serviceError('purchase_not_found');
  if (found.accountId === null) await accept(deps, asked, context);
  context.record.add({ purchaseId, isNews: found.accountId === null });
  const accepted = (await findVisible(deps.db, owner, purchaseId)) ?? found;
  const [shown] = await showPurchases(deps, [accepted], context);
  if (!shown) throw serviceError('purchase_not_found');
  return shown;
});

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
