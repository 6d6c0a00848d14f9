import {
  billing,
  CREDIT_BLOCKS,
  creditBlock,
  keyState,
  LARGEST_PAYMENT_EVENT_BYTES,
  LONGEST_REFUND_REASON,
  MOST_PURCHASES,
  purchase,
  refund,
  uuid,
} from '@tds/contracts';
import { z } from 'zod';
import { pageBody, pageFields } from '../common-fields.ts';
import { defineRoutes, field, okBody } from '../define-route.ts';

const LONGEST_EMAIL = 320;
const FIRST_PAGE = 20;
const count = z.number().int().nonnegative();
const time = z.iso.datetime();

const refundBody = z.object({ id: uuid, status: refund.shape.status }).meta({ id: 'Refund' });

export const purchaseBody = z
  .object({
    id: uuid,
    block: count.describe('Credits that were bought'),
    amount: count.describe('What they cost, in the smallest unit of the currency'),
    currency: z.string().describe('ISO 4217, in lower case'),
    status: purchase.shape.status.describe(
      'open: its page waits to be paid; processing: the credits are to come; waiting: a stranger has paid it for your address, and you may accept it; refunded: also in part; disputed: a bank took the money back',
    ),
    bought_by: purchase.shape.boughtBy.describe(
      'account: you were signed in; stranger: it was bought for your address without a credential',
    ),
    credits_left: count.describe('Blocks are spent in the order in which they were bought'),
    refundable: z.boolean().describe('Whether nothing of it is used, held or given back'),
    refund: refundBody.nullable(),
    receipt_url: z.string().nullable(),
    created_at: time,
    paid_at: time.nullable(),
  })
  .meta({ id: 'Purchase' });

const checkoutBody = okBody({
  checkout_url: z.string().describe('Where it is paid'),
  purchase_id: uuid,
  block: count.describe('Credits that are bought there'),
  amount: count.describe('What they cost, in the smallest unit of the currency'),
  currency: z.string().describe('ISO 4217, in lower case'),
  expires_at: time,
}).meta({ id: 'Checkout' });

const onePurchase = okBody({ purchase: purchaseBody });

const priceBody = z.object({
  block: count.describe('Credits'),
  amount: count.describe('What they cost, in the smallest unit of the currency'),
});

export const billingRoutes = defineRoutes({
  listPrices: {
    method: 'GET',
    path: '/v1/checkout',
    calls: [billing.listPrices],
    access: 'public',
    tag: 'Billing',
    summary: 'The blocks of credits that are sold, and what they cost',
    description: 'To buy one, send its block to this address with POST.',
    responses: {
      200: {
        description: 'The prices',
        schema: okBody({
          currency: z.string().describe('ISO 4217, in lower case'),
          blocks: z.array(priceBody),
        }),
      },
    },
  },

  checkout: {
    method: 'POST',
    path: '/v1/checkout',
    calls: [billing.openCheckout, billing.requestRefund],
    outcomeAt: '/v1/billing/purchases',
    access: 'anyone',
    tag: 'Billing',
    takesIdempotencyKey: true,
    summary: 'Buy a block of credits, or ask for the refund of an untouched one',
    description:
      "Buying answers the address of a page where the block is paid; the credits arrive a moment later. Asking for another block closes the page that the account has open. action=refund takes back a block of which nothing is used and returns its money; a repeat answers its progress. A page is open for half an hour; purchase_in_progress names the one that the account has open in checkout_url. A repeat of the Idempotency-Key answers the first page, whatever became of it. Without a credential the answer is the same whether or not the address has an account. Ten checkouts an hour from one network, or of one account: rate_limit. new_account_purchase_limit: an account with a purchase buys another once its deliveries have cost 100 credits in all. An account is paid as long as a purchase stands that it has made itself. If the processor's prices differ from ours: 503 configuration_error.",
    query: {
      action: field(z.literal('refund').optional(), 'unknown_query_mode', 'refund; absent to buy'),
    },
    body: {
      block: field(
        creditBlock.optional(),
        'invalid_credit_block',
        `To buy: one of ${CREDIT_BLOCKS.join(', ')}`,
      ),
      email: field(
        z.string().min(3).max(LONGEST_EMAIL).optional(),
        'invalid_email',
        'To buy without a credential: the address of the account that gets the credits. Its owner signs in and accepts them',
      ),
      purchase_id: field(uuid.optional(), 'invalid_purchase_id', 'To refund: the purchase'),
      reason: field(
        z.string().max(LONGEST_REFUND_REASON).optional(),
        'refund_reason_too_long',
        `To refund: why, in at most ${LONGEST_REFUND_REASON} characters`,
      ),
    },
    responses: {
      201: { description: 'A page to pay on', schema: checkoutBody },
      202: {
        description: 'The block is taken back, and its money is on the way',
        schema: okBody({ refund: refundBody }),
      },
    },
    errors: ['missing_api_key', 'account_frozen'],
  },

  cancelCheckout: {
    method: 'GET',
    path: '/v1/checkout/cancelled',
    calls: [billing.cancelCheckout],
    access: 'public',
    tag: 'Billing',
    summary: 'Where a buyer comes to who has left the page of the payment processor: closes that page',
    query: { purchase_id: field(uuid, 'invalid_purchase_id', 'The purchase of the page') },
    responses: { 200: { description: 'What has become of the page', files: ['text/html'] } },
  },

  receivePaymentEvent: {
    method: 'POST',
    path: '/v1/billing/payment',
    calls: [billing.receivePaymentEvent],
    access: 'public',
    tag: 'Billing',
    summary: 'For the payment processor: a signed event',
    description:
      'The signature covers the bytes of the body. 200 says that the event and its effects are saved, now or before; kinds without effect are saved as well. It has at most 128 KiB, a Content-Length, a time within five minutes, and our mode, live or test. An event that contradicts our record is 400, so the processor sends it again; a refund or dispute is saved in any case. After 30 unsigned ones of a network within a minute its next ones are 429, except from addresses of which a signed one came within the hour.',
    signedBy: 'stripe-signature',
    largestBodyBytes: LARGEST_PAYMENT_EVENT_BYTES,
    responses: {
      200: { description: 'Processed, now or before', schema: okBody({ already_processed: z.boolean() }) },
    },
  },

  openPortal: {
    method: 'GET',
    path: '/v1/billing/portal',
    calls: [billing.openPortal],
    access: 'key-or-session',
    keyStates: [keyState.enum.active],
    tag: 'Billing',
    summary: "The address of the payment processor's portal for the account",
    responses: { 200: { description: 'The portal, for a short time', schema: okBody({ url: z.string() }) } },
  },

  listPurchases: {
    method: 'GET',
    path: '/v1/billing/purchases',
    calls: [billing.listPurchases],
    access: 'key-or-session',
    tag: 'Billing',
    summary: 'The purchases of the account, the newest first',
    description:
      'A dispute of a purchase that the account made itself freezes the account and takes the block back, into debt for what is spent; a won one gives both back, a lost one leaves it frozen until support lifts it.',
    query: pageFields(MOST_PURCHASES, FIRST_PAGE),
    responses: {
      200: {
        description: 'A page of purchases',
        schema: okBody({ purchases: z.array(purchaseBody), ...pageBody }),
      },
    },
  },

  acceptPurchase: {
    method: 'POST',
    path: '/v1/billing/purchases/{purchaseId}/accept',
    calls: [billing.acceptPurchase],
    access: 'key-or-session',
    tag: 'Billing',
    summary: 'Accept credits that a stranger has paid for the address of the account',
    description:
      'The credits arrive a moment later. They give the account no tier, and a dispute takes back this block only. A repeat answers the purchase as it is. A purchase that is not accepted within 90 days is given back to the payer. 409 purchase_withdrawn if its money was given back or is disputed. Only an accepted one can be refunded.',
    responses: { 200: { description: 'The purchase', schema: onePurchase } },
    errors: ['account_frozen'],
  },
});
