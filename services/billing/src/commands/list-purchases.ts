import {
  billing,
  creditsLedger,
  type FoundBlock,
  type Purchase,
  type PurchaseStatus,
  purchaseRef,
} from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { refundOf } from '../domain/refund-rules.ts';
import { type MovedMoney, movedOf } from '../store/moved-money.ts';
import { listOf, type StoredPurchase } from '../store/purchases.ts';
import { type RefundRequest, requestsOf, statusesOf } from '../store/refund-requests.ts';

type Known = {
  readonly moved: MovedMoney | undefined;
  readonly request: RefundRequest | undefined;
  readonly refundStatus: ReturnType<typeof refundOf>['status'] | undefined;
  readonly block: FoundBlock | undefined;
  readonly now: Date;
};

const statusOf = (purchase: StoredPurchase, { moved, now }: Known): PurchaseStatus => {
  const { state, grantedAt, expiresAt } = purchase;
  if (state === 'opening' || state === 'open') return expiresAt > now ? 'open' : 'expired';
  if (state !== 'paid') return state;
  if (moved && moved.disputed > 0) return 'disputed';
  if (moved && (moved.refunded > 0 || moved.isTakenBack)) return 'refunded';
  return grantedAt === null ? 'processing' : 'paid';
};

const toPurchase = (purchase: StoredPurchase, known: Known): Purchase => {
  const { id, block, amount, currency, createdAt, paidAt, receiptUrl } = purchase;
  const { request, refundStatus } = known;
  const status = statusOf(purchase, known);
  const creditsLeft = known.block?.left ?? 0;
  return {
    ...{ id, block, amount, currency, status, receiptUrl, creditsLeft },
    createdAt: createdAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
    isRefundable: status === 'paid' && creditsLeft === block && request === undefined,
    refund: request === undefined ? null : refundOf(request, refundStatus),
  };
};

export const listPurchases = onCommand(
  billing.listPurchases,
  async ({ db, call, now }: Pick<Deps, 'db' | 'call' | 'now'>, { accountId, ...page }, context) => {
    const { purchases, total } = await listOf(db, accountId, page);
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
    const at = now();
    const shown = purchases.map((purchase) => {
      const request = requests.get(purchase.id);
      return toPurchase(purchase, {
        moved: moved.get(purchase.id),
        request,
        refundStatus: said.get(request?.processorId ?? ''),
        block: blockOf.get(purchaseRef(purchase.id)),
        now: at,
      });
    });
    return { purchases: shown, total };
  },
);
