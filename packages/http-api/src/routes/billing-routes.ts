import {
  billing,
  CREDIT_BLOCKS,
  checkout,
  creditBlock,
  keyState,
  MAX_PAYMENT_EVENT_BYTES,
  MAX_PURCHASES,
  MAX_REFUND_REASON_LENGTH,
  payers,
  purchase,
  uuid,
} from '@tds/contracts';
import { z } from 'zod';
import { pageBody, pageFields, pathId, queryBoolean } from '../common-fields.ts';
import { defineRoutes, everyRole, field, okAnswer } from '../define-route.ts';

const MAX_EMAIL_LENGTH = 320;
const FIRST_PAGE = 20;

export const billingRoutes = defineRoutes('Billing', {
  listPrices: {
    method: 'GET',
    path: '/v1/checkout',
    calls: [billing.listPrices],
    access: 'public',
    summary: 'List the blocks of credits and their prices',
    description: 'To buy one, send its block to this path with POST.',
    responses: { 200: okAnswer('The prices', 'Prices', billing.listPrices.reply.shape) },
  },

  checkout: {
    method: 'POST',
    path: '/v1/checkout',
    calls: [billing.openCheckout, billing.requestRefund],
    outcomeAt: '/v1/billing/purchases',
    access: 'anyone',
    roles: payers,
    uncapped: { action: 'refund' },
    startsWork: true,
    takesIdempotencyKey: 'for 60 days, of a paid purchase for ever',
    summary: 'Buy a block of credits, or request the refund of an unused one',
    description:
      'Buying answers the address of a page where the block is paid; the credits arrive a moment later. Asking for another block closes the page that the account has open. action=refund takes back a block of which nothing is used and returns its money; a repeat answers its progress; a mailbox gives three blocks back within 30 days (refund_limit), more by support; owners and billing are mailed which block was given back, and by whom. A key with a daily_credit_cap, of its own or of its person, buys, and gives nothing back. A page is open for half an hour; purchase_in_progress names the one that the account has open in checkout_url. Without a credential the answer is the same whether or not the address has an account. Ten checkouts an hour from one network, or of one account: rate_limit. new_account_purchase_limit: an account with a purchase buys another once its deliveries have cost 100 credits in all. An account is paid as long as a purchase stands that it has made itself.',
    query: {
      action: field(z.literal('refund').optional(), 'unknown_query_mode', 'refund; omit to buy'),
    },
    body: {
      block: field(
        creditBlock.optional(),
        'invalid_credit_block',
        `To buy: one of ${CREDIT_BLOCKS.join(', ')}`,
      ),
      email: field(
        z.string().min(3).max(MAX_EMAIL_LENGTH).optional(),
        'invalid_email',
        'To buy without a credential: the email address of the account that gets the credits. Its owner signs in and accepts them',
      ),
      purchase_id: field(uuid.optional(), 'invalid_purchase_id', 'To refund: the id of the purchase'),
      reason: field(
        z.string().max(MAX_REFUND_REASON_LENGTH).optional(),
        'refund_reason_too_long',
        `To refund: the reason, at most ${MAX_REFUND_REASON_LENGTH} characters`,
      ),
    },
    bodyForms: { BuyCreditsRequest: ['block', 'email'], RefundRequest: ['purchase_id', 'reason'] },
    responses: {
      201: okAnswer('A page to pay on', 'Checkout', checkout.shape),
      202: okAnswer(
        'The credits are taken back and the refund is in progress',
        'RefundRequested',
        billing.requestRefund.reply.shape,
      ),
    },
    errors: ['missing_api_key'],
  },

  cancelCheckout: {
    method: 'GET',
    path: '/v1/checkout/cancelled',
    calls: [billing.cancelCheckout],
    access: 'public',
    summary: 'Close a checkout page: the processor redirects buyers here if they cancel',
    query: { purchase_id: field(uuid, 'invalid_purchase_id', 'The purchase of the checkout page') },
    responses: { 200: { description: 'The state of the checkout page', files: ['text/html'] } },
  },

  receivePaymentEvent: {
    method: 'POST',
    path: '/v1/billing/payment',
    calls: [billing.receivePaymentEvent],
    access: 'public',
    summary: 'Receive a signed event from the payment processor',
    description:
      'The signature covers the bytes of the body. 200 says that the event and its effects are saved, now or before; kinds without effect are saved as well. It has at most 128 KiB, a Content-Length, a time within five minutes, and our mode, live or test. An event that contradicts our record is 400, so the processor sends it again; a refund or dispute is saved in any case. After 30 unsigned ones of a network within a minute its next ones are 429, except from addresses of which a signed one came within the hour.',
    signedBy: 'stripe-signature',
    largestBodyBytes: MAX_PAYMENT_EVENT_BYTES,
    responses: {
      200: okAnswer('The event is processed', 'PaymentEventReceived', { already_processed: z.boolean() }),
    },
  },

  openPortal: {
    method: 'GET',
    path: '/v1/billing/portal',
    calls: [billing.openPortal],
    access: 'key-or-session',
    roles: payers,
    uncapped: true,
    keyStates: [keyState.enum.active],
    summary: "Get a link to the payment processor's portal",
    description: "By a session, or a key without a daily_credit_cap, its own or its person's.",
    responses: { 200: okAnswer('A short-lived link', 'PortalLink', { url: z.string() }) },
  },

  listPurchases: {
    method: 'GET',
    path: '/v1/billing/purchases',
    calls: [billing.listPurchases],
    access: 'key-or-session',
    roles: everyRole,
    summary: 'List the purchases of the account, newest first',
    description:
      'receipt_url is null for keys, apps and members: sessions of owners and billing see it. A dispute of a purchase that the account made itself freezes the account and takes the block back, into debt for what is spent; a won one gives both back, a lost one leaves it frozen until support lifts it.',
    query: {
      ...pageFields(MAX_PURCHASES, FIRST_PAGE),
      unpaid: field(queryBoolean(true), 'invalid_unpaid', 'false leaves out pages that expired unpaid'),
    },
    responses: {
      200: okAnswer('A page of purchases', 'PurchaseList', { purchases: z.array(purchase), ...pageBody }),
    },
  },

  acceptPurchase: {
    method: 'POST',
    path: '/v1/billing/purchases/{purchaseId}/accept',
    calls: [billing.acceptPurchase],
    access: 'key-or-session',
    roles: payers,
    startsWork: true,
    movesBalance: true,
    summary: 'Accept credits that another buyer paid for your email address',
    params: { purchaseId: pathId('purchase', 'purchase_not_found') },
    description:
      'The credits arrive a moment later. They give the account no tier, and a dispute takes back this block only. A repeat answers the purchase as it is. A purchase that is not accepted within 90 days is given back to the payer. 409 purchase_withdrawn if its money was given back or is disputed. Only an accepted one can be refunded.',
    responses: { 200: okAnswer('The purchase', 'PurchaseAccepted', billing.acceptPurchase.reply.shape) },
  },
});
