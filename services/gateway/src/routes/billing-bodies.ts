import { type Principal, type Purchase, type purchaseBody, serviceError } from '@tds/contracts';
import type { z } from 'zod';

export const toPurchaseBody = (purchase: Purchase): z.input<typeof purchaseBody> => ({
  id: purchase.id,
  block: purchase.block,
  amount: purchase.amount,
  currency: purchase.currency,
  status: purchase.status,
  bought_by: purchase.boughtBy,
  credits_left: purchase.creditsLeft,
  refundable: purchase.isRefundable,
  refund: purchase.refund,
  receipt_url: purchase.receiptUrl,
  created_at: purchase.createdAt,
  paid_at: purchase.paidAt,
});

/** A frozen account neither buys nor refunds nor accepts. */
export const refuseFrozen = (principal: Principal | null): void => {
  if (principal?.status === 'frozen') throw serviceError('account_frozen');
};
