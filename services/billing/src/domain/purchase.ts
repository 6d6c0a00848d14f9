import { DAY_MS, type PurchaseStatus, type Refund } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { later, secondsUntil } from './checkout.ts';
import type { RefundState } from './processor-events.ts';

/** A block, its price in the smallest unit of the currency, and the returned and disputed money. */
export type PurchaseMoney = {
  readonly block: number;
  readonly amount: number;
  /** Returned by the processor, or about to be. */
  readonly refunded: number;
  /** Held or kept by a bank. */
  readonly disputed: number;
  /** The block is taken back, and its money follows. */
  readonly isTakenBack: boolean;
};
export type MovedMoney = Omit<PurchaseMoney, 'block' | 'amount'> & { readonly hasDispute: boolean };

/*
 * opening     saved before the processor is asked for a page
 * open        it has a page (`markOpen`); one at a time for an account
 * expired     the page's time is over, or it was replaced, unpaid (`markExpired`, `expireOld`); a payment that comes all the same makes it paid
 * processing  a payment that takes days has begun (`markProcessing`)
 * paid        the processor says so (`markPaid`), from any other state; final. What is granted, given back or disputed stands beside it
 */
type PurchaseRecord = {
  readonly state: 'opening' | 'open' | 'expired' | 'processing' | 'paid';
  readonly accountId: string | null;
  readonly grantedAt: Date | null;
  readonly expiresAt: Date;
};

/** Credits that a purchase is worth. A part of the money takes the same part of the credits, rounded up to a whole credit. */
export const computeWorth = ({ block, amount, refunded, disputed, isTakenBack }: PurchaseMoney): number => {
  if (isTakenBack) return 0;
  const lostAmount = Math.min(refunded + disputed, amount);
  return block - Math.ceil((block * lostAmount) / amount);
};

/** Whether the ledger has what a purchase is worth. A purchase that waits for acceptance must have no credits there. */
export const hasLedgerItsWorth = (
  purchase: Pick<PurchaseRecord, 'accountId' | 'grantedAt'> & PurchaseMoney,
  net: number,
): boolean =>
  purchase.accountId === null ? net === 0 : purchase.grantedAt !== null && computeWorth(purchase) === net;

type StatusMoney = Pick<PurchaseMoney, 'refunded' | 'disputed' | 'isTakenBack'>;

const computePaidStatus = (
  { accountId, grantedAt }: PurchaseRecord,
  money: StatusMoney | undefined,
): PurchaseStatus => {
  if (money && money.disputed > 0) return 'disputed';
  if (money && (money.refunded > 0 || money.isTakenBack)) return 'refunded';
  if (accountId === null) return 'waiting';
  return grantedAt === null ? 'processing' : 'paid';
};

/** The status that customers see. A page is expired when its time is over, even before the schedule expires its row. */
export const computeStatus = (
  purchase: PurchaseRecord,
  money: StatusMoney | undefined,
  now: Date,
): PurchaseStatus => {
  const { state, expiresAt } = purchase;
  if (state === 'paid') return computePaidStatus(purchase, money);
  if (state === 'opening' || state === 'open') return expiresAt > now ? 'open' : 'expired';
  return state;
};

type LedgerBlock = { readonly amount: number; readonly left: number };

/** Whether the ledger has the whole block: nothing of it is spent, held, or taken back. */
export const isUntouched = ({ amount, left }: LedgerBlock): boolean => left === amount;

type PurchaseView = {
  readonly status: PurchaseStatus;
  readonly block: number;
  readonly creditsLeft: number;
  readonly hasRequest: boolean;
};

/** Whether a refund would be accepted now: of a granted, untouched block, and for the first time. */
export const isRefundable = ({ status, block, creditsLeft, hasRequest }: PurchaseView): boolean =>
  status === 'paid' && creditsLeft === block && !hasRequest;

type RequestState = { readonly id: string; readonly state: 'asked' | 'taken' | 'submitted' | 'refused' };

/** The refund that customers see; it is pending until the processor reports a status. */
export const toRefund = ({ id, state }: RequestState, refundStatus: RefundState | undefined): Refund => ({
  id,
  status: state === 'refused' ? 'failed' : (refundStatus ?? 'pending'),
});

/** Throws if a purchase cannot be refunded, whatever the ledger answers. */
export const refuseRefund = (
  { state, grantedAt }: { readonly state: string; readonly grantedAt: Date | null },
  { refunded, disputed }: Pick<PurchaseMoney, 'refunded' | 'disputed'>,
) => {
  if (state === 'expired') throw serviceError('purchase_not_found');
  if (state !== 'paid' || grantedAt === null)
    throw serviceError('payment_purchase_pending', { retryAfterSeconds: 5 });
  if (refunded + disputed > 0) throw serviceError('payment_refund_conflict');
};

/** So that buying and refunding has an end: it costs the processor's fees, and tests stolen cards. */
export const MAX_REFUNDS_PER_MAILBOX = 3;
export const REFUND_WINDOW_MS = 30 * DAY_MS;

/** Throws if the refund at `lastAt`, the earliest that still counts, fills the window. */
export const refuseManyRefunds = (lastAt: Date | null, now: Date) => {
  if (lastAt === null) return;
  const retryAfterSeconds = secondsUntil(later(lastAt, REFUND_WINDOW_MS), now);
  throw serviceError('refund_limit', { retryAfterSeconds });
};

/** Throws the error for a block that the ledger does not take back. */
export const refuseBlock = (outcome: 'used' | 'in_debt' | 'unknown'): never => {
  if (outcome === 'used') throw serviceError('refund_block_used');
  if (outcome === 'in_debt') throw serviceError('payment_refund_debt_conflict');
  throw serviceError('payment_purchase_pending', { retryAfterSeconds: 60 });
};
