import { z } from 'zod';
import { namedObject } from '../bounded.ts';
import { uuid } from '../ids.ts';

/** The blocks of credits that are sold. */
export const CREDIT_BLOCKS = [5, 20, 50, 200, 1_000] as const;

export const creditBlock = z.literal(CREDIT_BLOCKS);
export type CreditBlock = z.infer<typeof creditBlock>;

/** How the ledger names a purchase. */
export const purchaseRef = (purchaseId: string): string => `purchase:${purchaseId}`;

export const LONGEST_REFUND_REASON = 500;

export const refundStatus = z.enum(['pending', 'succeeded', 'failed']).meta({ id: 'RefundStatus' });
export type RefundStatus = z.infer<typeof refundStatus>;

export const refund = namedObject('Refund', { id: uuid, status: refundStatus });
export type Refund = z.infer<typeof refund>;

/** Whether the buyer was signed in as the account that gets the credits, or sent no credential. */
export const boughtBy = z.enum(['account', 'stranger']).meta({ id: 'Buyer' });
export type BoughtBy = z.infer<typeof boughtBy>;

/**
 * `open`: its page waits to be paid; `expired`: its time ended unpaid; `processing`: it is paid or about to be, and the credits follow; `waiting`: a
 * stranger has paid it for the address of the account, which may accept it; `paid`; `refunded`: also in part; `disputed`: the buyer's bank took the
 * money back, for now or for good.
 */
export const purchaseStatus = z
  .enum(['open', 'expired', 'processing', 'waiting', 'paid', 'refunded', 'disputed'])
  .meta({ id: 'PurchaseStatus' });
export type PurchaseStatus = z.infer<typeof purchaseStatus>;

const count = z.number().int().nonnegative();
const time = z.iso.datetime();

/** What a block costs. */
export const price = {
  amount: count.describe('What they cost, in the smallest unit of the currency'),
  currency: z.string().describe('ISO 4217, in lower case'),
};

/** A purchase as its account sees it, in the API and on the bus. */
export const purchase = namedObject('Purchase', {
  id: uuid,
  block: count.describe('Credits that were bought'),
  ...price,
  status: purchaseStatus.describe(
    'open: its page waits to be paid; processing: the credits are to come; waiting: a stranger has paid it for your address, and you may accept it; refunded: also in part; disputed: a bank took the money back',
  ),
  bought_by: boughtBy.describe(
    'account: you were signed in; stranger: it was bought for your address without a credential',
  ),
  credits_left: count.describe('Blocks are spent in the order in which they were bought'),
  refundable: z.boolean().describe('Whether nothing of it is used, held or given back'),
  refund: refund.nullable(),
  receipt_url: z.string().nullable(),
  created_at: time,
  paid_at: time.nullable(),
});
export type Purchase = z.infer<typeof purchase>;

/** An open page of the payment processor. */
export const checkout = z.object({
  checkout_url: z.string().describe('Where it is paid'),
  purchase_id: uuid,
  block: count.describe('Credits that are bought there'),
  ...price,
  expires_at: time,
});
