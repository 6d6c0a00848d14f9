import { expecting } from '@tds/base';
import { type CreditBlock, SECOND_MS } from '@tds/contracts';
import Stripe from 'stripe';
import type { Config } from '../config.ts';
import { createCardCalls } from './processor-cards.ts';
import { ask, createProcessorHttp, isRefusal } from './processor-client.ts';
import * as wire from './wire.ts';

const TIMEOUT_MS = 8 * SECOND_MS;
/** The processor's largest page. */
const EVENTS_PER_PAGE = 100;

/** The name of a block in the processor's catalogue. */
export const lookupKeyOf = (block: CreditBlock): string => `credits_${block}`;

export type Checkout = {
  readonly purchaseId: string;
  readonly accountId: string | null;
  readonly block: CreditBlock;
  readonly priceId: string;
  readonly expiresAt: Date;
  /** Null for a stranger. */
  readonly customerId: string | null;
  readonly email: string | null;
};

const connect = (
  { apiOrigin, secretKey }: Pick<Config, 'apiOrigin' | 'secretKey'>,
  ending?: AbortSignal,
): Stripe => {
  const { protocol, hostname, port } = new URL(apiOrigin);
  return new Stripe(secretKey.reveal(), {
    host: hostname,
    port: port || (protocol === 'http:' ? '80' : '443'),
    protocol: protocol === 'http:' ? 'http' : 'https',
    httpClient: createProcessorHttp(ending),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  });
};

const toSessionParams = (publicUrl: string, checkout: Checkout): Stripe.Checkout.SessionCreateParams => {
  const { purchaseId, accountId, block, priceId, expiresAt, customerId, email } = checkout;
  const metadata = {
    purchase_id: purchaseId,
    block: String(block),
    ...(accountId && { account_id: accountId }),
  };
  return {
    mode: 'payment',
    line_items: [{ price: priceId, quantity: 1 }],
    client_reference_id: purchaseId,
    metadata,
    payment_intent_data: { metadata },
    expires_at: Math.floor(expiresAt.getTime() / SECOND_MS),
    success_url: `${publicUrl}/checkout/success`,
    cancel_url: `${publicUrl}/v1/checkout/cancelled?purchase_id=${purchaseId}`,
    ...(customerId && { customer: customerId }),
    ...(email && { customer_email: email, customer_creation: 'always' as const }),
  };
};

const nullIfRefused = expecting(isRefusal, null);

/** Requests about a page that is open. */
const createSessionCalls = (stripe: Stripe) => ({
  /** Null if the processor has no such session. */
  readSession: (id: string): Promise<wire.Session | null> =>
    ask(stripe.checkout.sessions.retrieve(id).catch(nullIfRefused), wire.session.nullable()),
  /** Closes a page. Resolves to false if it is paid or about to be. */
  closeSession: async (id: string): Promise<boolean> => {
    const closing = stripe.checkout.sessions.expire(id).catch(nullIfRefused);
    if ((await ask(closing, wire.session.nullable())) !== null) return true;
    const session = await ask(stripe.checkout.sessions.retrieve(id), wire.session);
    return session.status === 'expired';
  },
});

/** The payment processor. Every request that changes something carries an idempotency key. All throw the errors of `ask`. */
export const createProcessor = (
  config: Pick<Config, 'apiOrigin' | 'secretKey' | 'publicUrl'>,
  ending?: AbortSignal,
) => {
  const stripe = connect(config, ending);
  const once = (name: string) => ({ idempotencyKey: name });
  return {
    prices: (blocks: readonly CreditBlock[]) =>
      ask(stripe.prices.list({ lookup_keys: blocks.map(lookupKeyOf), active: true }), wire.pricePage),
    createCustomer: (accountId: string) =>
      ask(
        stripe.customers.create({ metadata: { account_id: accountId } }, once(`customer:${accountId}`)),
        wire.customer,
      ),
    openSession: (checkout: Checkout) =>
      ask(
        stripe.checkout.sessions.create(
          toSessionParams(config.publicUrl, checkout),
          once(`checkout:${checkout.purchaseId}`),
        ),
        wire.session,
      ),
    ...createSessionCalls(stripe),
    ...createCardCalls(stripe, config.publicUrl),
    openPortal: (customer: string) =>
      ask(
        stripe.billingPortal.sessions.create({ customer, return_url: `${config.publicUrl}/docs` }),
        wire.page,
      ),
    /** Refunds what is left of a payment: a request without an amount. Null if the processor rejects the refund. */
    refund: async (paymentIntentId: string, refundId: string): Promise<wire.Refund | null> => {
      const request = stripe.refunds.create(
        { payment_intent: paymentIntentId, metadata: { refund_id: refundId } },
        once(`refund:${refundId}`),
      );
      return ask(request.catch(nullIfRefused), wire.refund.nullable());
    },
    /** A page of events, newest first. Throws `payment_reconcile_page_invalid` if the answer does not parse. */
    events: (since: Date, after: string | null) =>
      ask(
        stripe.events.list({
          limit: EVENTS_PER_PAGE,
          created: { gte: Math.floor(since.getTime() / SECOND_MS) },
          ...(after !== null && { starting_after: after }),
        }),
        wire.eventPage,
        'payment_reconcile_page_invalid',
      ),
  };
};
export type Processor = ReturnType<typeof createProcessor>;
