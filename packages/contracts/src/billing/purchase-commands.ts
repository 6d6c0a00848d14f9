import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { HOPS_MS, PROCESSOR_WAIT_MS } from '../deadlines.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { uuid } from '../ids.ts';
import { creditBlock, LONGEST_REFUND_REASON, purchase, refund } from './purchase.ts';

const url = z.url();

export const MOST_PURCHASES = 100;

/** Whatever may come of asking the processor. */
const ofProcessor = ['payment_request_failed', 'payment_response_invalid', 'configuration_error'] as const;

export const purchaseCommands = commands({
  /**
   * Opens a page where a block is paid: by an account, or by a stranger for the owner of an address, who accepts the credits once they
   * are paid. Answers the same for an address whether or not it has an account. An account's page of another block is closed first.
   */
  openCheckout: {
    request: z.object({
      buyer: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('account'), accountId: uuid }),
        z.object({ kind: z.literal('address'), email: z.string().max(512) }),
      ]),
      block: creditBlock,
      clientAddress: z.string(),
      /**
       * A repeat is answered the page of the first request, whatever became of that, and waits while it is being opened. Of an account one
       * with another block is refused; of a stranger it is another request.
       */
      idempotencyKey: idempotencyKey.nullable(),
    }),
    reply: z.object({
      checkoutUrl: url,
      purchaseId: uuid,
      expiresAt: z.iso.datetime(),
      block: purchase.shape.block,
      amount: purchase.shape.amount,
      currency: purchase.shape.currency,
      isReplayed: z.boolean(),
    }),
    errors: [
      ...ofProcessor,
      'invalid_email',
      'disposable_email',
      'idempotency_key_reused',
      'purchase_in_progress',
      'new_account_purchase_limit',
      'rate_limit',
    ],
    timeoutMs: PROCESSOR_WAIT_MS + HOPS_MS,
  },

  /** What the blocks cost; sold at these prices only while the processor has the same. */
  listPrices: {
    request: z.object({}),
    reply: z.object({
      currency: purchase.shape.currency,
      blocks: z.array(z.object({ block: creditBlock, amount: purchase.shape.amount })),
    }),
  },

  /** Closes a page that its buyer has left; false if it is paid, or about to be. A repeat, and one for no purchase, changes nothing. */
  cancelCheckout: {
    request: z.object({ purchaseId: uuid }),
    reply: z.object({ isClosed: z.boolean() }),
    errors: ofProcessor,
    timeoutMs: PROCESSOR_WAIT_MS + HOPS_MS,
  },

  /** Takes a stranger's purchase for the address of the account into the account. Repeating it changes nothing. */
  acceptPurchase: {
    request: z.object({ accountId: uuid, purchaseId: uuid }),
    reply: purchase,
    errors: ['purchase_not_found', 'purchase_withdrawn', 'new_account_purchase_limit'],
  },

  /** Asks for the refund of an untouched block, once per purchase: a repeat answers how far the first has come. */
  requestRefund: {
    request: z.object({
      accountId: uuid,
      purchaseId: uuid,
      reason: z.string().max(LONGEST_REFUND_REASON).nullable(),
    }),
    reply: refund,
    errors: [
      'purchase_not_found',
      'refund_block_used',
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
    errors: ofProcessor,
    timeoutMs: PROCESSOR_WAIT_MS + HOPS_MS,
  },

  /** Those of the account, and those that strangers have paid for its address; the newest first. */
  listPurchases: {
    request: z.object({
      accountId: uuid,
      limit: z.number().int().min(1).max(MOST_PURCHASES),
      offset: z.number().int().nonnegative(),
    }),
    reply: z.object({ purchases: z.array(purchase), total: z.number().int().nonnegative() }),
  },
});
