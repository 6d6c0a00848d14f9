import {
  billing,
  creditsLedger,
  identity,
  type Purchase,
  purchaseRef,
  type RequestOf,
  SECOND_MS,
} from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Context } from '@tds/messaging';
import { takeBackCredits } from '../application/refunds.ts';
import { enqueueSettling } from '../application/settling.ts';
import type { Deps } from '../deps.ts';
import { later, refuseAcceptance } from '../domain/checkout.ts';
import type { RefundState } from '../domain/processor-events.ts';
import {
  computeStatus,
  computeWorth,
  isRefundable,
  MAX_REFUNDS_PER_MAILBOX,
  type MovedMoney,
  REFUND_WINDOW_MS,
  refuseBlock,
  refuseManyRefunds,
  refuseRefund,
  toRefund,
} from '../domain/purchase.ts';
import { countPurchases, lockAdmission, saveAdmitted } from '../store/admission.ts';
import {
  findMovedMoney,
  findRefundAt,
  findRefundStatuses,
  findRequest,
  findRequests,
  insertRequest,
  type RefundRequest,
} from '../store/money.ts';
import {
  findOwnPurchase,
  findVisible,
  listVisible,
  lockPurchases,
  type StoredPurchase,
  touch,
} from '../store/purchases.ts';

type PurchaseState = {
  readonly money: MovedMoney | undefined;
  readonly request: RefundRequest | undefined;
  readonly refundStatus: RefundState | undefined;
  /** Credits left of the block at the ledger. */
  readonly creditsLeft: number;
  readonly now: Date;
};

const toPurchase = (purchase: StoredPurchase, state: PurchaseState): Purchase => {
  const { id, block, amount, currency, boughtBy, createdAt, paidAt, receiptUrl } = purchase;
  const { request, refundStatus, money, creditsLeft, now } = state;
  const status = computeStatus(purchase, money, now);
  return {
    id,
    block,
    amount,
    currency,
    status,
    bought_by: boughtBy,
    automatic: purchase.paymentMethodId !== null,
    credits_left: creditsLeft,
    refundable: isRefundable({ status, block, creditsLeft, hasRequest: request !== undefined }),
    refund: request === undefined ? null : toRefund(request, refundStatus),
    // A stranger's receipt belongs to the stranger.
    receipt_url: boughtBy === 'account' ? receiptUrl : null,
    created_at: createdAt.toISOString(),
    paid_at: paidAt?.toISOString() ?? null,
    person_id: purchase.personId,
  };
};

/** Purchases as customers see them, with the ledger's credits and the processor's refunds. */
const toPurchases = async ({ db, call, now }: Deps, purchases: readonly StoredPurchase[], context: Context) => {
  const ids = purchases.map(({ id }) => id);
  const [moneyById, requests, { rows: blocks }] = await Promise.all([
    findMovedMoney(db, ids),
    findRequests(db, ids),
    call(creditsLedger.lookUpGrants, { refs: ids.map(purchaseRef) }, context),
  ]);
  const refundIds = [...requests.values()].flatMap(({ processorId }) => processorId ?? []);
  const statuses = await findRefundStatuses(db, refundIds);
  const leftByRef = new Map(blocks.map(({ ref, left }) => [ref, left]));
  const at = await now();
  return purchases.map((purchase) => {
    const request = requests.get(purchase.id);
    return toPurchase(purchase, {
      money: moneyById.get(purchase.id),
      request,
      refundStatus: statuses.get(request?.processorId ?? ''),
      creditsLeft: leftByRef.get(purchaseRef(purchase.id)) ?? 0,
      now: at,
    });
  });
};

export const listPurchases = onCommand(
  billing.listPurchases,
  async (deps: Deps, { accountId, unpaid, ...page }, context) => {
    const { account } = await deps.call(identity.getAccount, { accountId, keyId: null }, context);
    const owner = { accountId, email: account.email };
    const { purchases, total } = await listVisible(deps.db, owner, page, unpaid);
    return { purchases: await toPurchases(deps, purchases, context), total };
  },
);

/** Accepts a waiting purchase under the limit of new accounts, which a purchase as a stranger therefore does not bypass. */
const accept = async (
  deps: Deps,
  { accountId, purchaseId }: RequestOf<typeof billing.acceptPurchase>,
  context: Context,
) => {
  const { spent } = await deps.call(creditsLedger.getSpending, { accountId }, context);
  const now = await deps.now();
  await deps.messaging.transaction(deps.db, async (tx, send) => {
    await lockAdmission(tx, [accountId]);
    const purchase = (await lockPurchases(tx, { ids: [purchaseId] })).get(purchaseId);
    const money = (await findMovedMoney(tx, [purchaseId])).get(purchaseId);
    if (!purchase || !money) throw serviceError('purchase_not_found');
    // A concurrent request of the same account has accepted it.
    if (purchase.accountId !== null) return;
    const account = { purchases: await countPurchases(tx, accountId), spent };
    refuseAcceptance(account, computeWorth({ ...purchase, ...money }));
    await saveAdmitted(tx, purchaseId, accountId, now);
    await enqueueSettling(send, purchaseId);
  });
};

export const acceptPurchase = onCommand(billing.acceptPurchase, async (deps: Deps, request, context) => {
  const { accountId, purchaseId } = request;
  const { account } = await deps.call(identity.getAccount, { accountId, keyId: null }, context);
  const owner = { accountId, email: account.email };
  const stored = await findVisible(deps.db, owner, purchaseId);
  if (!stored) throw serviceError('purchase_not_found');
  if (stored.accountId === null) await accept(deps, request, context);
  context.record.add({ purchaseId, isNew: stored.accountId === null });
  const accepted = (await findVisible(deps.db, owner, purchaseId)) ?? stored;
  const [purchase] = await toPurchases(deps, [accepted], context);
  if (!purchase) throw serviceError('purchase_not_found');
  return { purchase };
});

const noMoney = { refunded: 0, disputed: 0 };
/** Longer than the ledger takes to answer, so that the task only finishes what the command could not. */
const FOLLOW_AFTER_MS = 10 * SECOND_MS;

/** Saves the request before acting on it. Resolves to the only request that this purchase ever has. */
const saveRequest = async (
  { db, messaging, call, now }: Deps,
  purchase: StoredPurchase,
  { accountId, reason, by }: RequestOf<typeof billing.requestRefund>,
  context: Context,
) => {
  const { accountIds } = await call(identity.listAccountsOfMailbox, { accountId }, context);
  return messaging.transaction(db, async (tx, send) => {
    const { id: purchaseId } = purchase;
    await lockAdmission(tx, [accountId, ...accountIds]);
    const current = (await lockPurchases(tx, { ids: [purchaseId] })).get(purchaseId) ?? purchase;
    const earlier = await findRequest(tx, purchaseId);
    if (earlier !== null) return earlier;
    refuseRefund(current, (await findMovedMoney(tx, [purchaseId])).get(purchaseId) ?? noMoney);
    const at = await now();
    const window = { count: MAX_REFUNDS_PER_MAILBOX, since: later(at, -REFUND_WINDOW_MS) };
    refuseManyRefunds(await findRefundAt(tx, [accountId, ...accountIds], window), at);
    await insertRequest(tx, { purchaseId, reason, state: 'asked', ...by }, at);
    await touch(tx, purchaseId, at);
    const options = { partition: purchaseId, delayMs: FOLLOW_AFTER_MS };
    await send.enqueue(billing.settlePurchase, { purchaseId }, options);
    return (await findRequest(tx, purchaseId)) as RefundRequest;
  });
};

const findRefund = async ({ db }: Deps, request: RefundRequest) => {
  if (request.state === 'refused') throw serviceError('payment_refund_invalid');
  const { processorId } = request;
  const refundStatus =
    processorId === null ? undefined : (await findRefundStatuses(db, [processorId])).get(processorId);
  return toRefund(request, refundStatus);
};

export const requestRefund = onCommand(billing.requestRefund, async (deps: Deps, request, context) => {
  const { accountId, purchaseId } = request;
  const purchase = await findOwnPurchase(deps.db, accountId, purchaseId);
  if (!purchase) throw serviceError('purchase_not_found');
  const refundRequest = await saveRequest(deps, purchase, request, context);
  context.record.add({ purchaseId, refund: refundRequest.id, state: refundRequest.state });
  if (refundRequest.state !== 'asked') return { refund: await findRefund(deps, refundRequest) };
  const outcome = await takeBackCredits(deps, purchase, context);
  if (outcome !== 'taken') refuseBlock(outcome);
  return { refund: toRefund({ ...refundRequest, state: 'taken' }, undefined) };
});
