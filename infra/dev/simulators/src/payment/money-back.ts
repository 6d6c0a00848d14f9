import { z } from 'zod';
import { badRequest } from './api-error.ts';
import type { Emit } from './deliveries.ts';
import { add, find, newId, type Resource, type State } from './state.ts';

export const refundParameters = z.object({
  payment_intent: z.string(),
  amount: z.coerce.number().int().positive().optional(),
  reason: z.string().optional(),
  metadata: z.record(z.string(), z.string()).default({}),
});

const chargeOf = (state: State, intentId: string): Resource => {
  const intent = find(state, 'paymentIntents', intentId);
  return find(state, 'charges', String(intent.latest_charge));
};

/** Gives money back, never more than was paid. */
export const makeRefund = (state: State, input: z.output<typeof refundParameters>, emit: Emit): Resource => {
  const charge = chargeOf(state, input.payment_intent);
  const refundable = Number(charge.amount) - Number(charge.amount_refunded);
  const amount = input.amount ?? refundable;
  if (charge.disputed) throw badRequest('charge_disputed', 'This charge is disputed.');
  if (refundable === 0) throw badRequest('charge_already_refunded', 'This charge was refunded already.');
  if (amount > refundable) throw badRequest('amount_too_large', 'This is more than is left of the charge.');
  charge.amount_refunded = Number(charge.amount_refunded) + amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  const refund = add(state, 'refunds', {
    ...{ id: newId('re'), object: 'refund', status: 'succeeded', amount, currency: charge.currency },
    ...{ charge: charge.id, payment_intent: input.payment_intent, metadata: input.metadata },
  });
  emit('refund.created', refund);
  emit('charge.refunded', charge);
  return refund;
};

/** The customer's bank sends the money back. */
export const failRefund = (state: State, id: string, emit: Emit): Resource => {
  const refund = find(state, 'refunds', id);
  const charge = find(state, 'charges', String(refund.charge));
  charge.amount_refunded = Number(charge.amount_refunded) - Number(refund.amount);
  charge.refunded = false;
  refund.status = 'failed';
  emit('refund.failed', refund);
  return refund;
};

/** The customer's bank takes the money of a charge back. */
export const openDispute = (state: State, intentId: string, emit: Emit, amount?: number): Resource => {
  const charge = chargeOf(state, intentId);
  charge.disputed = true;
  const dispute = add(state, 'disputes', {
    ...{ id: newId('dp'), object: 'dispute', status: 'needs_response', reason: 'fraudulent' },
    ...{ amount: amount ?? charge.amount, currency: charge.currency },
    ...{ charge: charge.id, payment_intent: intentId, metadata: {} },
  });
  emit('charge.dispute.created', dispute);
  return dispute;
};

export const closeDispute = (state: State, id: string, status: 'won' | 'lost', emit: Emit): Resource => {
  const dispute = find(state, 'disputes', id);
  dispute.status = status;
  find(state, 'charges', String(dispute.charge)).disputed = status === 'lost';
  emit('charge.dispute.closed', dispute);
  return dispute;
};
