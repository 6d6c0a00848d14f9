import { describe, expect, it } from '@jest/globals';
import { type ErrorCode, ServiceError } from '@tds/errors';
import fc from 'fast-check';
import {
  isSessionEvent,
  readPaymentIntent,
  refuseOtherSession,
  type SessionOutcome,
  toOutcome,
} from './processor-events.ts';

const catchCode = (rule: () => unknown): ErrorCode | null => {
  try {
    rule();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error.code;
    throw error;
  }
};
const purchase = {
  ...{ sessionId: 'cs_1', customerId: 'cus_1', paymentIntentId: null },
  ...{ amount: 900, currency: 'usd', block: 20 },
};
const session = {
  ...{ id: 'cs_1', customer: 'cus_1', payment_intent: 'pi_1' },
  ...{ amount_total: 900, currency: 'usd', metadata: { block: '20' } },
};

describe('an event of a session is accepted', () => {
  it.each<[string, object, object, ErrorCode | null]>([
    ['if it agrees with our record', {}, {}, null],
    ['if our record has no session yet', { sessionId: null }, {}, null],
    ['if our record has no customer, as for a stranger', { customerId: null }, { customer: 'cus_9' }, null],
    ['not of another session', {}, { id: 'cs_2' }, 'payment_session_mismatch'],
    ['not of another customer', {}, { customer: 'cus_2' }, 'payment_customer_mismatch'],
    ['not without a customer if we have one', {}, { customer: null }, 'payment_customer_mismatch'],
    ['not of another amount', {}, { amount_total: 899 }, 'payment_product_mismatch'],
    ['not of no amount', {}, { amount_total: null }, 'payment_product_mismatch'],
    ['not of another currency', {}, { currency: 'eur' }, 'payment_product_mismatch'],
    ['not of another block', {}, { metadata: { block: '1000' } }, 'payment_product_mismatch'],
    ['not of a block in another notation', {}, { metadata: { block: '20.0' } }, 'payment_product_mismatch'],
    ['not without our metadata', {}, { metadata: null }, 'payment_product_mismatch'],
  ])('%s', (_title, changed, reported, code) => {
    expect(catchCode(() => refuseOtherSession({ ...purchase, ...changed }, { ...session, ...reported }))).toBe(
      code,
    );
  });

  it('with the requested amount only', () => {
    fc.assert(
      fc.property(fc.integer(), (amount) => {
        const code = catchCode(() => refuseOtherSession(purchase, { ...session, amount_total: amount }));
        expect(code).toBe(amount === purchase.amount ? null : 'payment_product_mismatch');
      }),
    );
  });
});

describe('the payment of a session', () => {
  it.each<[string, string | null, string | null | undefined, string | ErrorCode]>([
    ['is the first that is named', null, 'pi_1', 'pi_1'],
    ['is the same for a repeat', 'pi_1', 'pi_1', 'pi_1'],
    ['is never another one: a purchase is paid once', 'pi_1', 'pi_2', 'payment_session_mismatch'],
    ['has to be there', null, null, 'payment_session_mismatch'],
    ['has to be named', null, undefined, 'payment_session_mismatch'],
  ])('%s', (_title, before, reported, expected) => {
    const paying = () =>
      readPaymentIntent({ ...purchase, paymentIntentId: before }, { ...session, payment_intent: reported });
    expect(catchCode(paying) ?? paying()).toBe(expected);
  });
});

describe('an event of the type', () => {
  const completed = 'checkout.session.completed';
  it.each<[Parameters<typeof toOutcome>[0], string, SessionOutcome]>([
    [completed, 'paid', 'paid'],
    [completed, 'no_payment_required', 'paid'],
    [completed, 'unpaid', 'awaited'],
    ['checkout.session.async_payment_succeeded', 'paid', 'paid'],
    ['checkout.session.async_payment_succeeded', 'unpaid', 'paid'],
    ['checkout.session.async_payment_failed', 'unpaid', 'expired'],
    ['checkout.session.expired', 'unpaid', 'expired'],
  ])('%s with the status %s means %s', (type, payment_status, outcome) => {
    expect(isSessionEvent(type)).toBe(true);
    expect(toOutcome(type, { payment_status })).toBe(outcome);
  });

  it.each(['charge.succeeded', 'refund.created', 'constructor', '__proto__', 'toString', ''])(
    '%j is no event of a session',
    (type) => {
      expect(isSessionEvent(type)).toBe(false);
    },
  );
});
