import { missing } from './api-error.ts';
import type { Emit } from './events.ts';
import { add, newId, type Resource, type State } from './state.ts';

/** The customer's bank takes the money of a charge back. */
export const openDispute = (
  state: State,
  intentId: string,
  emit: Emit,
  given: { readonly amount?: number } = {},
): Resource => {
  const intent = state.paymentIntents.get(intentId);
  const charge = state.charges.get(String(intent?.latest_charge));
  if (!charge) throw missing('payment_intent', intentId);
  charge.disputed = true;
  const dispute = add(state, 'disputes', {
    ...{ id: newId('dp'), object: 'dispute', status: 'needs_response', reason: 'fraudulent' },
    ...{ amount: given.amount ?? charge.amount, currency: charge.currency },
    ...{ charge: charge.id, payment_intent: intentId, metadata: {} },
  });
  emit('charge.dispute.created', dispute);
  return dispute;
};

export const closeDispute = (state: State, id: string, status: 'won' | 'lost', emit: Emit): Resource => {
  const dispute = state.disputes.get(id);
  if (!dispute) throw missing('dispute', id);
  const charge = state.charges.get(String(dispute.charge)) as Resource;
  dispute.status = status;
  charge.disputed = status === 'lost';
  emit('charge.dispute.closed', dispute);
  return dispute;
};
