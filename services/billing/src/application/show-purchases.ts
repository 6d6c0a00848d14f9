import { creditsLedger, type FoundBlock, type Purchase, purchaseRef } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { isRefundable, statusOf } from '../domain/purchase-status.ts';
import { refundOf } from '../domain/refund-rules.ts';
import { type MovedMoney, movedOf } from '../store/moved-money.ts';
import type { StoredPurchase } from '../store/purchases.ts';
import { type RefundRequest, requestsOf, statusesOf } from '../store/refund-requests.ts';

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
export const showPurchases = async (
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
