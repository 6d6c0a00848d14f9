import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { billing as contract, purchaseRef } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { type Resource, signatureOf } from '@tds/simulators/payment';
import { codeOf, eventually } from '@tds/test-kit';
import {
  OLD_WEBHOOK_SECRET,
  startBilling,
  type TestBilling,
  WEBHOOK_SECRET,
} from '../test-support/start-billing.ts';

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

const nowSeconds = () => Math.floor(Date.now() / 1_000);
const receive = (body: string, signature: string) =>
  billing.call(contract.receivePaymentEvent, { body, signature }, testContext());
const send = (event: object, secret = WEBHOOK_SECRET, at = nowSeconds()) => {
  const body = JSON.stringify(event);
  return receive(body, signatureOf(body, secret, at));
};
const readOutcome = (answer: ReturnType<typeof send>): Promise<string> =>
  answer.then(
    ({ isNew }) => (isNew ? 'new' : 'known'),
    ({ code }) => code,
  );
const newEvent = (type: string, object: object, more: object = {}) => ({
  ...{ id: `evt_${randomUUID()}`, object: 'event', type, created: nowSeconds(), livemode: false },
  data: { object },
  ...more,
});
const paidSession = () => billing.payUnheard();
const completed = (session: Resource, changed: object = {}) =>
  newEvent('checkout.session.completed', { ...session, ...changed });

describe('an event', () => {
  it('is valid with any of the secrets, also the old one', async () => {
    for (const secret of [WEBHOOK_SECRET, OLD_WEBHOOK_SECRET])
      expect(await send(newEvent('product.created', { id: 'prod_1' }), secret)).toEqual({
        isNew: true,
      });
  });

  it('of a type named like a property of every object is stored like any unknown type', async () => {
    for (const kind of ['constructor', 'toString', '__proto__'])
      expect(await send(newEvent(kind, { id: 'prod_2' }))).toEqual({ isNew: true });
  });

  it.each<[string, () => Promise<unknown>]>([
    ['no signature', () => receive(JSON.stringify(newEvent('a.b', {})), '')],
    ['another secret', () => send(newEvent('a.b', {}), 'whsec_of_another_account')],
    ['a signature of six minutes ago', () => send(newEvent('a.b', {}), WEBHOOK_SECRET, nowSeconds() - 360)],
    ['a signature of in six minutes', () => send(newEvent('a.b', {}), WEBHOOK_SECRET, nowSeconds() + 360)],
    ['live mode', () => send(newEvent('a.b', {}, { livemode: true }))],
    ['no id', () => send({ ...newEvent('a.b', {}), id: '' })],
    [
      'a body that was written anew',
      () => {
        const body = JSON.stringify(newEvent('a.b', { amount: 1 }));
        return receive(
          JSON.stringify(JSON.parse(body), null, 1),
          signatureOf(body, WEBHOOK_SECRET, nowSeconds()),
        );
      },
    ],
    ['a body that is no JSON', () => receive('{', signatureOf('{', WEBHOOK_SECRET, nowSeconds()))],
    [
      'two signatures, none of which is right',
      () =>
        receive('{}', `${signatureOf('{}', 'whsec_of_another_account', nowSeconds())},v1=${'0'.repeat(64)}`),
    ],
  ])('with %s is rejected', async (_what, report) => {
    expect(await codeOf(report())).toBe('payment_event_invalid');
  });

  it('in a hundred concurrent copies is applied once', async () => {
    const { session } = await paidSession();
    const event = completed(session);
    const answers = await Promise.all(Array.from({ length: 100 }, () => readOutcome(send(event))));
    // A busy machine answers some with an error; the processor sends these again.
    expect(['new', 'known', 'service_unavailable']).toEqual(expect.arrayContaining([...new Set(answers)]));
    expect(answers.filter((answer) => answer === 'new').length).toBeLessThanOrEqual(1);
    await eventually(() => send(event));
    const { accountId, amount } = await billing.granted(String(session.client_reference_id));
    expect(billing.ledger.books().account(accountId).purchased).toBe(amount);
  });

  it.each<[string, object, string]>([
    ['another amount', { amount_total: 1 }, 'payment_product_mismatch'],
    ['another currency', { currency: 'eur' }, 'payment_product_mismatch'],
    ['another block', { metadata: { block: '1000' } }, 'payment_product_mismatch'],
    ['another customer', { customer: 'cus_else' }, 'payment_customer_mismatch'],
    ['another session', { id: 'cs_test_else' }, 'payment_session_mismatch'],
    ['no payment', { payment_intent: null }, 'payment_session_mismatch'],
    ['no purchase', { client_reference_id: null }, 'payment_account_unknown'],
    ['a purchase that is no id', { client_reference_id: '../1' }, 'payment_account_unknown'],
    ['no status', { payment_status: 'maybe' }, 'payment_event_invalid'],
  ])('with %s is rejected, and saves nothing', async (_what, changed, code) => {
    const { session, accountId, purchaseId } = await paidSession();
    const event = completed(session, changed);
    expect(await codeOf(send(event))).toBe(code);
    expect((await billing.find(accountId, purchaseId)).status).toBe('open');
    const { rows } = await billing.kit().db.query('SELECT FROM payment_events WHERE id = $1', [event.id]);
    expect(rows).toEqual([]);
  });

  it.each<[string, string, object]>([
    ['a refund of more than was paid', 'refund.created', { amount: 901, status: 'succeeded' }],
    ['a dispute of more than was paid', 'charge.dispute.created', { amount: 2_147_483_647, status: 'lost' }],
    ['a dispute in another currency', 'charge.dispute.created', { currency: 'jpy', amount: 1, status: 'lost' }],
  ])(
    'of %s counts up to the price of the purchase, and is noted for operators',
    async (_what, type, changed) => {
      const { accountId, purchaseId, paymentIntentId: payment_intent, ref } = await billing.buy();
      const object = { id: `x_${randomUUID()}`, payment_intent, amount: 900, currency: 'usd', ...changed };
      expect(await send(newEvent(type, object))).toEqual({ isNew: true });
      await eventually(() => expect(billing.ledger.block(ref)?.net).toBe(0));
      expect((await billing.find(accountId, purchaseId)).status).toMatch(/refunded|disputed/);
      const text = 'SELECT purchase_id FROM mismatched_payments WHERE id = $1';
      expect((await billing.kit().db.query(text, [object.id])).rows).toEqual([{ purchase_id: purchaseId }]);
    },
  );

  it.each<[string, object, object]>([
    ['a NUL in its id', { id: 'evt_\u0000' }, {}],
    ['a NUL in its kind', { type: 'a\u0000b' }, {}],
    ['a lone surrogate in its id', { id: 'evt_\ud800' }, {}],
    ['a time beyond all calendars', { created: 1e15 }, {}],
    [
      'an amount beyond all columns',
      { type: 'refund.created' },
      { id: 're_x', amount: 1e12, currency: 'usd', status: null },
    ],
    [
      'a NUL in a payment',
      { type: 'refund.created' },
      { id: 're_y', payment_intent: 'pi\u0000', amount: 1, currency: 'usd', status: null },
    ],
    [
      'a NUL in a receipt',
      { type: 'charge.succeeded' },
      { id: 'ch_x', receipt_url: 'https://a.example/\u0000' },
    ],
  ])('with %s is rejected as invalid, and is no error of ours', async (_what, more, object) => {
    expect(await codeOf(send(newEvent('a.b', object, more)))).toBe('payment_event_invalid');
  });

  it('of another product at the same processor is rejected for good, and not noted for operators', async () => {
    const { session } = await paidSession();
    const foreign = { id: 'cs_test_elsewhere', client_reference_id: randomUUID() };
    expect(await codeOf(send(completed(session, foreign)))).toBe('payment_account_unknown');
    billing.simulator.forge('checkout.session.completed', { ...session, ...foreign });
    const before = (await billing.kit().db.query('SELECT FROM mismatched_payments')).rows.length;
    await billing.handlers().schedules.reconcileEvents(billing.context());
    expect((await billing.kit().db.query('SELECT FROM mismatched_payments')).rows).toHaveLength(before);
  });

  it('of a known session with the id of another purchase is rejected', async () => {
    const { session } = await paidSession();
    const event = completed(session, { client_reference_id: randomUUID() });
    expect(await codeOf(send(event))).toBe('payment_session_mismatch');
  });

  it('that is invalid fails alone in its batch', async () => {
    const fitting = [await paidSession(), await paidSession(), await paidSession()];
    const { session: odd } = await paidSession();
    const [mismatch, ...answers] = await Promise.all(
      [completed(odd, { amount_total: 1 }), ...fitting.map(({ session }) => completed(session))].map((event) =>
        readOutcome(send(event)),
      ),
    );
    expect([mismatch, ...answers]).toEqual(['payment_product_mismatch', 'new', 'new', 'new']);
    for (const { purchaseId } of fitting) await billing.granted(purchaseId);
  });

  it('of a refund that arrives while its payment is being saved waits, and is linked to the purchase', async () => {
    const { accountId, purchaseId, session } = await paidSession();
    const { payment_intent, amount_total: amount, currency } = session;
    const object = { id: `re_${randomUUID()}`, payment_intent, amount, currency, status: 'succeeded' };
    const other = await billing.kit().db.connect();
    const waiting = (type: string) =>
      eventually(async () => {
        const { rows } = await other.query('SELECT FROM pg_locks WHERE locktype = $1 AND NOT granted', [type]);
        expect(rows).toHaveLength(1);
      });
    await other.query('BEGIN');
    await other.query('SELECT FROM purchases WHERE id = $1 FOR UPDATE', [purchaseId]);
    const paying = send(completed(session));
    await waiting('transactionid');
    const refunding = send(newEvent('refund.created', object));
    await waiting('advisory');
    await other.query('COMMIT');
    other.release();
    expect(await Promise.all([paying, refunding])).toEqual([{ isNew: true }, { isNew: true }]);
    await eventually(async () => {
      const { rows } = await billing.kit().db.query(`SELECT FROM messaging.tasks WHERE state = 'ready'`);
      expect([rows, billing.ledger.block(purchaseRef(purchaseId))?.net ?? 0]).toEqual([[], 0]);
    });
    expect((await billing.find(accountId, purchaseId)).status).toBe('refunded');
  });

  it('of an inquiry takes no credits', async () => {
    const { paymentIntentId: payment_intent, ref } = await billing.buy();
    const object = {
      id: 'dp_2',
      payment_intent,
      amount: 900,
      currency: 'usd',
      status: 'warning_needs_response',
    };
    await send(newEvent('charge.dispute.created', object));
    await billing.handlers().schedules.reconcileAllPurchases(billing.context());
    expect(billing.ledger.block(ref)?.net).toBe(20);
  });
});

describe('a payment that takes days', () => {
  it('is processing until it succeeds, and grants nothing if it fails', async () => {
    const [one, other] = [await paidSession(), await paidSession()];
    for (const { session } of [one, other]) await send(completed(session, { payment_status: 'unpaid' }));
    expect((await billing.find(one.accountId, one.purchaseId)).status).toBe('processing');
    await send(newEvent('checkout.session.async_payment_succeeded', one.session));
    await send(newEvent('checkout.session.async_payment_failed', other.session));
    await billing.granted(one.purchaseId);
    expect((await billing.find(other.accountId, other.purchaseId)).status).toBe('expired');
  });

  it('has failed even if that is reported before its start', async () => {
    const { accountId, purchaseId, session } = await paidSession();
    await send(newEvent('checkout.session.async_payment_failed', session));
    await send(completed(session, { payment_status: 'unpaid' }));
    expect((await billing.find(accountId, purchaseId)).status).toBe('expired');
  });
});
