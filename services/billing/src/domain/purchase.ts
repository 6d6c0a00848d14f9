import { type PurchaseStatus, type Refund, serviceError } from '@tds/contracts';
import type { RefundState } from './processor-events.ts';

/** What money has moved of a purchase since it was paid. */
export type Moved = {
  readonly block: number;
  readonly amount: number;
  /** Money that the processor gives back, or has given back. */
  readonly refunded: number;
  /** Money that banks hold or keep. */
  readonly disputed: number;
  /** The block is taken back, and its money is to follow. */
  readonly isTakenBack: boolean;
};

/** Credits that stand of a purchase. A part of its money takes that part of its credits, and never less. */
export const worthOf = ({ block, amount, refunded, disputed, isTakenBack }: Moved): number => {
  if (isTakenBack) return 0;
  const gone = Math.min(refunded + disputed, amount);
  return block - Math.ceil((block * gone) / amount);
};

type Sold = { readonly accountId: string | null; readonly grantedAt: Date | null };

/** Whether the ledger has what a purchase is worth. What waits to be accepted is not to be there at all. */
export const isSettled = (purchase: Sold & Moved, standing: number): boolean =>
  purchase.accountId === null
    ? standing === 0
    : purchase.grantedAt !== null && worthOf(purchase) === standing;

type SoldPurchaseStatus = {
  readonly state: 'opening' | 'open' | 'expired' | 'processing' | 'paid';
  readonly accountId: string | null;
  readonly grantedAt: Date | null;
  readonly expiresAt: Date;
};
type MovedMoney = Pick<Moved, 'refunded' | 'disputed' | 'isTakenBack'>;

/** Of a purchase that is paid: money that has moved comes first, then whether its credits are there. */
const ofPaid = (
  { accountId, grantedAt }: SoldPurchaseStatus,
  moved: MovedMoney | undefined,
): PurchaseStatus => {
  if (moved && moved.disputed > 0) return 'disputed';
  if (moved && (moved.refunded > 0 || moved.isTakenBack)) return 'refunded';
  if (accountId === null) return 'waiting';
  return grantedAt === null ? 'processing' : 'paid';
};

/** What a customer is shown of a purchase. A page whose time is over is closed, also before the sweep has come by. */
export const statusOf = (
  purchase: SoldPurchaseStatus,
  moved: MovedMoney | undefined,
  now: Date,
): PurchaseStatus => {
  const { state, expiresAt } = purchase;
  if (state === 'paid') return ofPaid(purchase, moved);
  if (state === 'opening' || state === 'open') return expiresAt > now ? 'open' : 'expired';
  return state;
};

type Known = {
  readonly status: PurchaseStatus;
  readonly block: number;
  readonly creditsLeft: number;
  readonly hasRequest: boolean;
};

/** Whether a refund would be accepted now: of a block that is there, untouched, and for the first time. */
export const isRefundable = ({ status, block, creditsLeft, hasRequest }: Known): boolean =>
  status === 'paid' && creditsLeft === block && !hasRequest;

type Asked = { readonly id: string; readonly state: 'asked' | 'taken' | 'submitted' | 'refused' };

/** How far a refund has come; until the processor has said something it is under way. */
export const refundOf = ({ id, state }: Asked, said: RefundState | undefined): Refund => ({
  id,
  status: state === 'refused' ? 'failed' : (said ?? 'pending'),
});

type Bought = { readonly state: string; readonly grantedAt: Date | null };
type MovedMoneyRefundRules = { readonly refunded: number; readonly disputed: number };

/** Throws why nothing of this purchase can be refunded, whatever the ledger says. */
export const refuseRefund = (
  { state, grantedAt }: Bought,
  { refunded, disputed }: MovedMoneyRefundRules,
): void => {
  if (state === 'expired') throw serviceError('purchase_not_found');
  if (state !== 'paid' || grantedAt === null)
    throw serviceError('payment_purchase_pending', { retryAfterSeconds: 5 });
  if (refunded + disputed > 0) throw serviceError('payment_refund_conflict');
};

/** Throws what the ledger's answer to a block that should be taken back means for its owner. */
export const refuseBlock = (outcome: 'used' | 'in_debt' | 'unknown'): never => {
  if (outcome === 'used') throw serviceError('refund_block_used');
  if (outcome === 'in_debt') throw serviceError('payment_refund_debt_conflict');
  throw serviceError('payment_purchase_pending', { retryAfterSeconds: 60 });
};
