import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { HOPS_MS, PROCESSOR_WAIT_MS } from '../deadlines.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { count, madeBy, namedObject, pageOf, time, uuid } from '../ids.ts';

/** The blocks of credits that are sold. */
export const CREDIT_BLOCKS = [5, 20, 50, 200, 1_000] as const;

export const creditBlock = z.literal(CREDIT_BLOCKS);
export type CreditBlock = z.infer<typeof creditBlock>;

/** How the ledger names a purchase. */
export const purchaseRef = (purchaseId: string): string => `purchase:${purchaseId}`;

export const MAX_REFUND_REASON_LENGTH = 500;

const refundStatus = z.enum(['pending', 'succeeded', 'failed']).meta({ id: 'RefundStatus' });
export type RefundStatus = z.infer<typeof refundStatus>;

export const refund = namedObject('Refund', { id: uuid, status: refundStatus });
export type Refund = z.infer<typeof refund>;

/** Whether the buyer was signed in as the account that gets the credits, or sent no credential. */
export const boughtBy = z.enum(['account', 'stranger']).meta({ id: 'Buyer' });

/**
 * `open`: its page waits to be paid; `expired`: its time ended unpaid; `processing`: it is paid or about to be, and the credits follow; `waiting`: a
 * stranger has paid it for the address of the account, which may accept it; `paid`; `refunded`: also in part; `disputed`: the buyer's bank took the
 * money back, for now or for good.
 */
export const purchaseStatus = z
  .enum(['open', 'expired', 'processing', 'waiting', 'paid', 'refunded', 'disputed'])
  .meta({ id: 'PurchaseStatus' });
export type PurchaseStatus = z.infer<typeof purchaseStatus>;

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
  automatic: z.boolean().default(false).describe('Whether a refill has bought it'),
  credits_left: count.describe('Blocks are spent in the order in which they were bought'),
  refundable: z.boolean().describe('Whether nothing of it is used, held or given back'),
  refund: refund.nullable(),
  receipt_url: z.string().nullable(),
  created_at: time,
  paid_at: time.nullable(),
  person_id: madeBy,
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

const url = z.url();

export const MAX_PURCHASES = 100;

/** Errors of requests to the processor. */
export const processorErrors = [
  'payment_request_failed',
  'payment_response_invalid',
  'configuration_error',
] as const;

export const purchaseCommands = commands({
  /**
   * Opens a page where a block is paid: by an account, or by a stranger for the owner of an address, who accepts the credits once they are
   * paid. Answers the same whether or not the address has an account. Closes an account's page of another block first.
   */
  openCheckout: {
    request: z.object({
      buyer: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('account'), accountId: uuid, personId: uuid.nullish() }),
        z.object({ kind: z.literal('address'), email: z.string().max(512) }),
      ]),
      block: creditBlock,
      clientAddress: z.string(),
      /**
       * A repeat gets the page of the first request, and waits while it opens. A repeat of an account with another block is rejected; that of a
       * stranger is another request.
       */
      idempotencyKey: idempotencyKey.nullable(),
    }),
    reply: z.object({ checkout, isReplayed: z.boolean() }),
    errors: [
      ...processorErrors,
      'invalid_email',
      'disposable_email',
      'idempotency_key_reused',
      'purchase_in_progress',
      'new_account_purchase_limit',
      'rate_limit',
    ],
    timeoutMs: PROCESSOR_WAIT_MS + HOPS_MS,
  },

  /** The prices of the blocks; a block is sold only if the processor has the same price. */
  listPrices: {
    request: z.object({}),
    reply: z.object({
      currency: price.currency,
      blocks: z.array(namedObject('BlockPrice', { block: count.describe('Credits'), amount: price.amount })),
    }),
  },

  /** Closes a page that its buyer has left; false if it is paid or about to be, and for an unknown purchase. */
  cancelCheckout: {
    request: z.object({ purchaseId: uuid }),
    reply: z.object({ isClosed: z.boolean() }),
    errors: processorErrors,
    timeoutMs: PROCESSOR_WAIT_MS + HOPS_MS,
  },

  /** Accepts a stranger's purchase for the address of the account. A repeat changes nothing. */
  acceptPurchase: {
    request: z.object({ accountId: uuid, purchaseId: uuid }),
    reply: z.object({ purchase }),
    errors: ['purchase_not_found', 'purchase_withdrawn', 'new_account_purchase_limit'],
  },

  /** Requests the refund of an untouched block, once for each purchase: a repeat answers its status. Three in 30 days for each mailbox. */
  requestRefund: {
    request: z.object({
      accountId: uuid,
      purchaseId: uuid,
      reason: z.string().max(MAX_REFUND_REASON_LENGTH).nullable(),
      /** Absent from a gateway of the release before. */
      by: z.object({ keyId: uuid.nullable(), personId: uuid }).optional(),
    }),
    reply: z.object({ refund }),
    errors: [
      'purchase_not_found',
      'refund_block_used',
      'refund_limit',
      'payment_purchase_pending',
      'payment_refund_conflict',
      'payment_refund_debt_conflict',
      'payment_refund_invalid',
    ],
  },

  /** Opens the processor's portal for the account. */
  openPortal: {
    request: z.object({ accountId: uuid }),
    reply: z.object({ url }),
    errors: processorErrors,
    timeoutMs: PROCESSOR_WAIT_MS + HOPS_MS,
  },

  /** Lists the purchases of the account and those that strangers have paid for its address, newest first. */
  listPurchases: {
    request: z.object({ accountId: uuid, ...pageOf(MAX_PURCHASES), unpaid: z.boolean().optional() }),
    reply: z.object({ purchases: z.array(purchase), total: count }),
  },
});
