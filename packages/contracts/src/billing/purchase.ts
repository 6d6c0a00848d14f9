import { z } from 'zod';
import { uuid } from '../ids.ts';

/** The blocks of credits that are sold. */
export const CREDIT_BLOCKS = [5, 20, 50, 200, 1_000] as const;

export const creditBlock = z.literal(CREDIT_BLOCKS);
export type CreditBlock = z.infer<typeof creditBlock>;

/** How the ledger names a purchase. */
export const purchaseRef = (purchaseId: string): string => `purchase:${purchaseId}`;

export const LONGEST_REFUND_REASON = 500;

export const refundStatus = z.enum(['pending', 'succeeded', 'failed']);
export type RefundStatus = z.infer<typeof refundStatus>;

export const refund = z.object({ id: uuid, status: refundStatus });
export type Refund = z.infer<typeof refund>;

/** Whether the buyer was signed in as the account that gets the credits, or nobody was. */
export const boughtBy = z.enum(['account', 'stranger']);
export type BoughtBy = z.infer<typeof boughtBy>;

/**
 * `open`: its page waits to be paid; `expired`: nobody paid; `processing`: it is paid or about to be, and the credits are to come; `waiting`: a
 * stranger has paid it for the address of the account, which is to accept it; `paid`; `refunded`: also in part; `disputed`: the buyer's bank took the money back, for now or for good.
 */
export const purchaseStatus = z.enum([
  'open',
  'expired',
  'processing',
  'waiting',
  'paid',
  'refunded',
  'disputed',
]);
export type PurchaseStatus = z.infer<typeof purchaseStatus>;

export const purchase = z.object({
  id: uuid,
  block: creditBlock,
  /** In the smallest unit of the currency. */
  amount: z.number().int().positive(),
  currency: z.string().regex(/^[a-z]{3}$/),
  status: purchaseStatus,
  boughtBy,
  createdAt: z.iso.datetime(),
  paidAt: z.iso.datetime().nullable(),
  /** Of the block, by the ledger's word. */
  creditsLeft: z.number().int().nonnegative(),
  /** Whether a refund would be accepted now. */
  isRefundable: z.boolean(),
  refund: refund.nullable(),
  receiptUrl: z.string().nullable(),
});
export type Purchase = z.infer<typeof purchase>;
