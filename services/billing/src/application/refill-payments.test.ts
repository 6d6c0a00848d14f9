import { describe, expect, it } from '@jest/globals';
import { readAnswer } from './refill-payments.ts';

const intent = { id: 'pi_1', amount: 100, currency: 'usd', created: 1_764_000_000 };
const declined = { code: 'card_declined' };

describe('the answer to a charge', () => {
  it.each([
    ['succeeded', null, { paid: expect.anything() }],
    ['processing', null, 'awaited'],
    ['requires_payment_method', declined, { refused: 'card_declined' }],
    ['requires_payment_method', { code: 'expired_card' }, { refused: 'card_expired' }],
    // It waits for the holder, whom no page asks: the person is mailed instead.
    ['requires_action', null, { refused: 'authentication_required' }],
  ])('%s, with the error %j, is read as %j', (status, last_payment_error, outcome) => {
    expect(readAnswer({ ...intent, status, last_payment_error })).toEqual(outcome);
  });
});
