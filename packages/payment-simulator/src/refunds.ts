import { z } from 'zod';
import { invalid, missing } from './api-error.ts';
import type { Emit } from './events.ts';
import { add, newId, type Resource, type State } from './state.ts';

export const refundParameters = z.object({
  payment_intent: z.string(),
  amount: z.coerce.number().int().positive().optional(),
  reason: z.string().optional(),
  metadata: z.record(z.string(), z.string()).default({}),
});

const chargeOf = (state: State, intentId: string): Resource => {
  const intent = state.paymentIntents.get(intentId);
  const charge = state.charges.get(String(intent?.latest_charge));
  if (!charge) throw missing('payment_intent', intentId);
  return charge;
};

/** Gives money back, never more than was paid. */
export const makeRefund = (state: State, given: z.output<typeof refundParameters>, emit: Emit): Resource => {
  const charge = chargeOf(state, given.payment_intent);
  const left = Number(charge.amount) - Number(charge.amount_refunded);
  const amount = given.amount ?? left;
  if (charge.disputed) throw invalid('charge_disputed', 'This charge is disputed.');
  if (left === 0) throw invalid('charge_already_refunded', 'This charge was refunded already.');
  if (amount > left) throw invalid('amount_too_large', 'This is more than is left of the charge.');
  charge.amount_refunded = Number(charge.amount_refunded) + amount;
  charge.refunded = charge.amount_refunded === charge.amount;
  const refund = add(state, 'refunds', {
    ...{ id: newId('re'), object: 'refund', status: 'succeeded', amount, currency: charge.currency },
    ...{ charge: charge.id, payment_intent: given.payment_intent, metadata: given.metadata },
  });
  emit('refund.created', refund);
  emit('charge.refunded', charge);
  return refund;
};

/** The customer's bank sends the money back. */
export const failRefund = (state: State, id: string, emit: Emit): Resource => {
  const refund = state.refunds.get(id);
  if (!refund) throw missing('refund', id);
  const charge = state.charges.get(String(refund.charge)) as Resource;
  charge.amount_refunded = Number(charge.amount_refunded) - Number(refund.amount);
  charge.refunded = false;
  refund.status = 'failed';
  emit('refund.failed', refund);
  return refund;
};
