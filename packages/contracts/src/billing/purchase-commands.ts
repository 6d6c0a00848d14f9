import { z } from 'zod';
import { namedObject } from '../bounded.ts';
import { commands } from '../contract/define-contract.ts';
import { HOPS_MS, PROCESSOR_WAIT_MS } from '../deadlines.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { uuid } from '../ids.ts';
import { checkout, creditBlock, LONGEST_REFUND_REASON, price, purchase, refund } from './purchase.ts';

const url = z.url();

export const MOST_PURCHASES = 100;

/** Errors of requests to the processor. */
const ofProcessor = ['payment_request_failed', 'payment_response_invalid', 'configuration_error'] as const;

export const purchaseCommands = commands({
  /**
   * Opens a page where a block is paid: by an account, or by a stranger for the owner of an address, who accepts the credits once they are
   * paid. Answers the same whether or not the address has an account. Closes an account's page of another block first.
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
       * A repeat gets the page of the first request, and waits while it opens. A repeat of an account with another block is rejected; that of a
       * stranger is another request.
       */
      idempotencyKey: idempotencyKey.nullable(),
    }),
    reply: z.object({ checkout, isReplayed: z.boolean() }),
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

  /** The prices of the blocks; a block is sold only if the processor has the same price. */
  listPrices: {
    request: z.object({}),
    reply: z.object({
      currency: price.currency,
      blocks: z.array(
        namedObject('BlockPrice', {
          block: z.number().int().nonnegative().describe('Credits'),
          amount: price.amount,
        }),
      ),
    }),
  },

  /** Closes a page that its buyer has left; false if it is paid or about to be, and for an unknown purchase. */
  cancelCheckout: {
    request: z.object({ purchaseId: uuid }),
    reply: z.object({ isClosed: z.boolean() }),
    errors: ofProcessor,
    timeoutMs: PROCESSOR_WAIT_MS + HOPS_MS,
  },

  /** Accepts a stranger's purchase for the address of the account. A repeat changes nothing. */
  acceptPurchase: {
    request: z.object({ accountId: uuid, purchaseId: uuid }),
    reply: z.object({ purchase }),
    errors: ['purchase_not_found', 'purchase_withdrawn', 'new_account_purchase_limit'],
  },

  /** Requests the refund of an untouched block, once for each purchase: a repeat answers its status. */
  requestRefund: {
    request: z.object({
      accountId: uuid,
      purchaseId: uuid,
      reason: z.string().max(LONGEST_REFUND_REASON).nullable(),
    }),
    reply: z.object({ refund }),
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

  /** Lists the purchases of the account and those that strangers have paid for its address, newest first. */
  listPurchases: {
    request: z.object({
      accountId: uuid,
      limit: z.number().int().min(1).max(MOST_PURCHASES),
      offset: z.number().int().nonnegative(),
    }),
    reply: z.object({ purchases: z.array(purchase), total: z.number().int().nonnegative() }),
  },
});
