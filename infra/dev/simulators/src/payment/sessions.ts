import { z } from 'zod';
import { badRequest, notFound } from './api-error.ts';
import type { Emit } from './deliveries.ts';
import { add, find, newId, type Price, type Resource, type State, seconds } from './state.ts';

const MIN_SECONDS = 1_800;
const metadata = z.record(z.string(), z.string()).default({});

export const sessionParameters = z.object({
  mode: z.literal('payment'),
  line_items: z.tuple([z.object({ price: z.string(), quantity: z.literal('1') })]),
  customer: z.string().optional(),
  customer_email: z.string().optional(),
  customer_creation: z.enum(['always', 'if_required']).optional(),
  client_reference_id: z.string().max(200).optional(),
  metadata,
  payment_intent_data: z.object({ metadata }).prefault({}),
  success_url: z.url(),
  cancel_url: z.url().optional(),
  expires_at: z.coerce.number().int(),
});

const priceOf = ({ prices }: State, id: string): Price => {
  const price = prices.find(({ lookupKey }) => priceId(lookupKey) === id);
  if (!price) throw notFound('price', id);
  return price;
};

export const priceId = (lookupKey: string): string => `price_${lookupKey}`;

/** Opens a session with a page where a person pays. */
export const openSession = (
  state: State,
  origin: string,
  input: z.output<typeof sessionParameters>,
): Resource => {
  const price = priceOf(state, input.line_items[0].price);
  if (input.customer) find(state, 'customers', input.customer);
  if (input.expires_at < seconds(state) + MIN_SECONDS - 60)
    throw badRequest('parameter_invalid_integer', 'expires_at is at least 30 minutes from now');
  const id = newId('cs_test');
  return add(state, 'sessions', {
    ...{ id, object: 'checkout.session', mode: 'payment', status: 'open', payment_status: 'unpaid' },
    ...{ amount_total: price.unitAmount, currency: price.currency, payment_intent: null },
    ...{ customer: input.customer ?? null, customer_email: input.customer_email ?? null },
    ...{ client_reference_id: input.client_reference_id ?? null, metadata: input.metadata },
    ...{ success_url: input.success_url, cancel_url: input.cancel_url ?? null },
    ...{ expires_at: input.expires_at, url: `${origin}/pay/${id}` },
    payment_intent_metadata: input.payment_intent_data.metadata,
  });
};

/** Adds a payment that has succeeded, with its charge. */
export const addPayment = (state: State, origin: string, shared: Readonly<Record<string, unknown>>) => {
  const [intentId, chargeId] = [newId('pi'), newId('ch')];
  const common = { ...shared, status: 'succeeded' };
  const charge = add(state, 'charges', {
    ...{ id: chargeId, object: 'charge', ...common, payment_intent: intentId, paid: true },
    ...{ amount_refunded: 0, refunded: false, disputed: false, receipt_url: `${origin}/receipt/${chargeId}` },
  });
  const intent = add(state, 'paymentIntents', {
    ...{ id: intentId, object: 'payment_intent', ...common },
    ...{ amount_received: shared.amount, latest_charge: chargeId },
  });
  return { intent, charge };
};

const pay = (state: State, origin: string, session: Resource) => {
  const { amount_total: amount, currency, customer, payment_intent_metadata: metadata } = session;
  const payment = addPayment(state, origin, { amount, currency, customer, metadata });
  session.payment_intent = payment.intent.id;
  return payment;
};

/** Acts as a person on the page. Returns the session; a second payment changes nothing. */
export const payForSession = (state: State, origin: string, id: string, emit: Emit): Resource => {
  const session = find(state, 'sessions', id);
  if (session.status === 'complete') return session;
  if (session.status !== 'open' || Number(session.expires_at) <= seconds(state))
    throw badRequest('session_expired', 'This page has expired. Nothing was paid.');
  session.customer ??= add(state, 'customers', {
    ...{ id: newId('cus'), object: 'customer', email: session.customer_email, metadata: {} },
  }).id;
  const { intent, charge } = pay(state, origin, session);
  Object.assign(session, { status: 'complete', payment_status: 'paid' });
  emit('payment_intent.succeeded', intent);
  emit('charge.succeeded', charge);
  emit('checkout.session.completed', session);
  return session;
};

/** Ends an unpaid session. */
export const expireSession = (state: State, id: string, emit: Emit): Resource => {
  const session = find(state, 'sessions', id);
  if (session.status !== 'open') throw badRequest('session_not_open', 'Only open sessions expire.');
  session.status = 'expired';
  emit('checkout.session.expired', session);
  return session;
};
