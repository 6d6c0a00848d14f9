import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, eventually } from '@tds/test-kit';
import { startBilling, type TestBilling } from './test-support/start-billing.ts';

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

const paidSession = () => billing.payUnheard();

describe('an event that no webhook delivered', () => {
  it('is found even if the list shows it after younger events', async () => {
    const { purchaseId } = await paidSession();
    const later = `INSERT INTO reconciliation (up_to) VALUES (now() + interval '5 minutes')
      ON CONFLICT (is_only) DO UPDATE SET up_to = excluded.up_to`;
    await billing.kit().db.query(later);
    await billing.handlers().schedules.reconcileEvents(billing.context());
    await billing.granted(purchaseId);
  });

  it('is read up to the newest event of the processor, whatever our clock shows', async () => {
    await paidSession();
    await billing.later(20 * 60_000, () => billing.handlers().schedules.reconcileEvents(billing.context()));
    const { rows } = await billing.kit().db.query('SELECT up_to <= now() AS "isPast" FROM reconciliation');
    expect(rows).toEqual([{ isPast: true }]);
  });

  it('and that contradicts our record is noted for operators, once', async () => {
    const { session } = await paidSession();
    billing.simulator.fault({ kind: 'lose' });
    billing.simulator.forge('checkout.session.completed', { ...session, amount_total: 1 });
    const event = billing.simulator.events().at(-1);
    for (const _ of [1, 2]) await billing.handlers().schedules.reconcileEvents(billing.context());
    const { rows } = await billing
      .kit()
      .db.query('SELECT code FROM mismatched_payments WHERE id = $1', [event?.id]);
    expect(rows).toEqual([{ code: 'payment_product_mismatch' }]);
  });

  it('is found in the list of the processor, page by page, once', async () => {
    const bought = [];
    for (let count = 0; count < 5; count += 1) bought.push(await paidSession());
    for (let count = 0; count < 120; count += 1) billing.simulator.noise();
    await billing.handlers().schedules.reconcileEvents(billing.context());
    for (const { purchaseId } of bought) await billing.granted(purchaseId);
    const { rows } = await billing.kit().db.query('SELECT count(*)::int FROM payment_events');
    await billing.handlers().schedules.reconcileEvents(billing.context());
    const again = await billing.kit().db.query('SELECT count(*)::int FROM payment_events');
    expect(again.rows).toEqual(rows);
  });

  it('is requested again if the processor fails, or returns an invalid page', async () => {
    const { purchaseId } = await paidSession();
    billing.simulator.fault({ kind: 'error', match: '/v1/events', times: 2 });
    const run = () => billing.handlers().schedules.reconcileEvents(billing.context());
    expect(await codeOf(run())).toBe('payment_request_failed');
    billing.simulator.fault({ kind: 'nonsense', match: '/v1/events' });
    expect(await codeOf(run())).toBe('payment_reconcile_page_invalid');
    await run();
    await eventually(() => billing.granted(purchaseId));
  });

  it('hides no other one if it is invalid', async () => {
    const { paymentIntentId } = await billing.buy();
    billing.simulator.forge('refund.created', {
      id: 're_odd',
      payment_intent: paymentIntentId,
      amount: 9_999,
      currency: 'usd',
      status: 'succeeded',
    });
    const { purchaseId } = await paidSession();
    await billing.handlers().schedules.reconcileEvents(billing.context());
    await billing.granted(purchaseId);
  });
});
