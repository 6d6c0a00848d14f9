import { z } from 'zod';
import { ApiError, badRequest } from './api-error.ts';
import type { Emit } from './deliveries.ts';
import { addPayment, sessionParameters } from './sessions.ts';
import { add, find, newId, type Resource, type State } from './state.ts';

const cardsOnly = z.tuple([z.literal('card')]);

export const setupParameters = sessionParameters
  .omit({ line_items: true, payment_intent_data: true })
  .extend({ mode: z.literal('setup'), customer: z.string(), allowed_payment_method_types: cardsOnly })
  .extend({ currency: z.string(), setup_intent_data: z.object({}).optional() });

/** Opens a session with a page where a person sets up a card; nothing is paid. */
export const openSetup = (state: State, origin: string, input: z.output<typeof setupParameters>): Resource => {
  find(state, 'customers', input.customer);
  const id = newId('cs_test');
  const { setup_intent_data: _, allowed_payment_method_types: __, ...shared } = input;
  return add(state, 'sessions', {
    ...{ id, object: 'checkout.session', ...shared, status: 'open', payment_status: 'no_payment_required' },
    ...{ amount_total: null, payment_intent: null, setup_intent: newId('seti'), url: `${origin}/pay/${id}` },
  });
};

/** What a bank does with charges of a card: as with the processor's test cards. */
export type CardConduct = 'pays' | 'card_declined' | 'expired_card' | 'authentication_required';

/** Acts as a person on the page. A second card changes nothing. */
export const setUpCard = (state: State, id: string, emit: Emit, conduct: CardConduct = 'pays'): Resource => {
  const session = find(state, 'sessions', id);
  if (session.status === 'complete') return session;
  const card = { id: newId('pm'), object: 'payment_method', type: 'card', customer: session.customer };
  add(state, 'paymentMethods', { ...card, conduct, session: id });
  session.status = 'complete';
  emit('checkout.session.completed', session);
  return session;
};

/** A session with its setup intent and card in the place of their ids. */
export const expandSetup = (state: State, session: Resource, parameters: unknown): object => {
  if (session.mode !== 'setup' || !(parameters as { expand?: unknown }).expand) return session;
  const card = [...state.paymentMethods.values()].find((one) => one.session === session.id);
  const method = card ? { id: card.id, object: card.object, type: card.type, customer: card.customer } : null;
  const status = card ? 'succeeded' : 'requires_payment_method';
  const { setup_intent: id, customer } = session;
  return { ...session, setup_intent: { id, object: 'setup_intent', status, customer, payment_method: method } };
};

export const detachCard = (state: State, id: string): Resource => {
  const card = find(state, 'paymentMethods', id);
  if (card.customer === null) throw badRequest('payment_method_unattached', 'It is attached to no customer.');
  card.customer = null;
  return card;
};

const yes = z.literal('true');
export const chargeParameters = z.object({
  amount: z.coerce.number().int().min(50),
  ...{ currency: z.string(), customer: z.string(), payment_method: z.string() },
  ...{ confirm: yes, off_session: yes, error_on_requires_action: yes },
  ...{ allowed_payment_method_types: cardsOnly, metadata: z.record(z.string(), z.string()).default({}) },
});

const INVALID = 'invalid_request_error';
const PAYMENT_REQUIRED = 402;
const DETACHED = 'The card is attached to no customer, or to another one.';

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
    throw new ApiError(400, 'parameter_invalid', DETACHED, INVALID, { param: 'payment_method' });
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
  throw new ApiError(PAYMENT_REQUIRED, error.code, error.message, error.type, { payment_intent: intent });
};
