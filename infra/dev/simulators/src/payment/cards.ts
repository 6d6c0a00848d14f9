import { z } from 'zod';
import { ApiError, invalid } from './api-error.ts';
import type { Emit } from './deliveries.ts';
import { addPayment } from './sessions.ts';
import { add, find, newId, type Resource, type State } from './state.ts';

const metadata = z.record(z.string(), z.string()).default({});
const cardsOnly = z.tuple([z.literal('card')]);

export const setupParameters = z.object({
  mode: z.literal('setup'),
  customer: z.string(),
  currency: z.string(),
  allowed_payment_method_types: cardsOnly,
  client_reference_id: z.string().max(200).optional(),
  metadata,
  setup_intent_data: z.object({ metadata }).prefault({}),
  success_url: z.url(),
  cancel_url: z.url(),
  expires_at: z.coerce.number().int(),
});

/** Opens a session with a page where a person sets up a card; nothing is paid. */
export const openSetup = (state: State, origin: string, input: z.output<typeof setupParameters>): Resource => {
  find(state, 'customers', input.customer);
  const id = newId('cs_test');
  const setupIntent = add(state, 'setupIntents', {
    ...{ id: newId('seti'), object: 'setup_intent', status: 'requires_payment_method' },
    ...{ customer: input.customer, payment_method: null, metadata: input.setup_intent_data.metadata },
  });
  const { customer, currency, success_url, cancel_url, expires_at } = input;
  return add(state, 'sessions', {
    ...{ id, object: 'checkout.session', mode: 'setup', status: 'open', payment_status: 'no_payment_required' },
    ...{ amount_total: null, currency, payment_intent: null, setup_intent: setupIntent.id, customer },
    ...{ client_reference_id: input.client_reference_id ?? null, metadata: input.metadata },
    ...{ success_url, cancel_url, expires_at, url: `${origin}/pay/${id}` },
  });
};

/** What a bank does with charges of a card: as with the processor's test cards. */
export type CardConduct = 'pays' | 'card_declined' | 'expired_card' | 'authentication_required';

/** Acts as a person on the page. A second card changes nothing. */
export const setUpCard = (state: State, id: string, emit: Emit, conduct: CardConduct = 'pays'): Resource => {
  const session = find(state, 'sessions', id);
  if (session.status === 'complete') return session;
  const card = add(state, 'paymentMethods', {
    ...{ id: newId('pm'), object: 'payment_method', type: 'card', customer: session.customer, conduct },
  });
  const setupIntent = find(state, 'setupIntents', String(session.setup_intent));
  Object.assign(setupIntent, { status: 'succeeded', payment_method: card.id });
  session.status = 'complete';
  emit('setup_intent.succeeded', setupIntent);
  emit('checkout.session.completed', session);
  return session;
};

/** A session with its setup intent and card in the place of their ids. */
export const expandSetup = (state: State, session: Resource): object => {
  if (typeof session.setup_intent !== 'string') return session;
  const setupIntent = find(state, 'setupIntents', session.setup_intent);
  const card = state.paymentMethods.get(String(setupIntent.payment_method));
  return {
    ...session,
    setup_intent: { ...setupIntent, payment_method: card ? { ...card, conduct: undefined } : null },
  };
};

export const detachCard = (state: State, id: string): Resource => {
  const card = find(state, 'paymentMethods', id);
  if (card.customer === null)
    throw invalid('payment_method_unattached', 'This card is attached to no customer.');
  card.customer = null;
  return card;
};

export const chargeParameters = z.object({
  amount: z.coerce.number().int().min(50),
  currency: z.string(),
  customer: z.string(),
  payment_method: z.string(),
  allowed_payment_method_types: cardsOnly,
  confirm: z.literal('true'),
  off_session: z.literal('true'),
  metadata,
});

const PAYMENT_REQUIRED = 402;
const DETACHED = 'The payment method is attached to no customer, or to another one. It may not be used again.';

/** Charges a card without its holder. A refusal is an error, and leaves a payment that waits for another card. */
export const chargeCard = (
  state: State,
  origin: string,
  input: z.output<typeof chargeParameters>,
  emit: Emit,
): Resource => {
  const { amount, currency, customer, payment_method } = input;
  const card = find(state, 'paymentMethods', payment_method);
  if (card.customer !== customer)
    throw new ApiError(400, 'parameter_invalid', DETACHED, 'invalid_request_error', {
      param: 'payment_method',
    });
  const shared = { amount, currency, customer, payment_method, metadata: input.metadata };
  if (card.conduct === 'pays') {
    const { intent, charge } = addPayment(state, origin, shared);
    emit('payment_intent.succeeded', intent);
    emit('charge.succeeded', charge);
    return intent;
  }
  const error = { code: String(card.conduct), message: 'The card was declined.', type: 'card_error' };
  const intent = add(state, 'paymentIntents', {
    ...{ id: newId('pi'), object: 'payment_intent', ...shared, status: 'requires_payment_method' },
    ...{ amount_received: 0, latest_charge: null, payment_method: null, last_payment_error: error },
  });
  emit('payment_intent.payment_failed', intent);
  const more = { decline_code: error.code, payment_intent: structuredClone(intent) };
  throw new ApiError(PAYMENT_REQUIRED, error.code, error.message, error.type, more);
};
