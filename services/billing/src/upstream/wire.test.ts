import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { charge, dispute, refund, session } from './wire.ts';

const money = { id: 'x_1', payment_intent: 'pi_1', amount: 900, currency: 'usd', status: 'open' };
const page = {
  ...{ id: 'cs_1', payment_status: 'paid', amount_total: 900, currency: 'usd', expires_at: 1_768_000_000 },
};

describe('a refund and a dispute', () => {
  it.each<[string, object, boolean]>([
    ['what moves money is read', {}, true],
    ['a payment that was expanded is read by its id', { payment_intent: { id: 'pi_1', amount: 1 } }, true],
    ['no payment is needed: it is of another product', { payment_intent: null }, true],
    ['an amount of nothing is none', { amount: 0 }, false],
    ['an amount below nothing is none', { amount: -1 }, false],
    ['a part of a cent is none', { amount: 0.5 }, false],
    ['as much as our columns take is read, however much was paid', { amount: 2_147_483_647 }, true],
    ['more than our columns take is refused', { amount: 2_147_483_648 }, false],
    ['a currency has three small letters', { currency: 'USD' }, false],
    ['an id is printable', { id: 'x\u0000' }, false],
    ['a payment is printable', { payment_intent: 'pi_\u0007' }, false],
    ['a payment that was expanded is printable', { payment_intent: { id: 'pi_\u0000' } }, false],
  ])('%s', (_title, changed, isRead) => {
    for (const schema of [refund, dispute])
      expect(schema.safeParse({ ...money, ...changed }).success).toBe(isRead);
  });
});

describe('a session', () => {
  it.each<[string, object, boolean]>([
    ['what is needed is read', {}, true],
    ['times end with the century', { expires_at: 4_102_444_801 }, false],
    ['a status of payment is one of three', { payment_status: 'maybe' }, false],
    ['an address has no controls', { customer_email: 'a@b.example\u0000' }, false],
    ['an amount may be unknown', { amount_total: null }, true],
    ['more fields say nothing', { more: { deep: [1] } }, true],
  ])('%s', (_title, changed, isRead) => {
    expect(session.safeParse({ ...page, ...changed }).success).toBe(isRead);
  });
});

describe('a charge', () => {
  it.each<[unknown, boolean]>([
    ['https://pay.example/receipts/1', true],
    [null, true],
    [undefined, true],
    ['https://pay.example/\u0000', false],
    [`https://pay.example/${'x'.repeat(2_048)}`, false],
    ['no address', false],
  ])('the receipt %j is read: %s', (receipt_url, isRead) => {
    expect(charge.safeParse({ id: 'ch_1', receipt_url }).success).toBe(isRead);
  });
});

it('parsed texts can be saved: no id contains a character that Postgres rejects', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (id) => {
      const read = refund.safeParse({ ...money, id });
      if (read.success) expect(read.data.id).toMatch(/^[\x20-\x7e]{1,255}$/);
    }),
  );
});
