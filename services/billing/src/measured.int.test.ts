import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { startBilling } from './test-support/start-billing.ts';

let billing: Awaited<ReturnType<typeof startBilling>>;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing?.stop());

it('metrics show a purchase that is paid and not granted, and its age', async () => {
  const { purchaseId } = await billing.buy();
  const scrape = () => billing.harness.scrape('billing');
  // A scrape that takes too long on a busy machine shows nothing: the next one does.
  await eventually(async () => expect((await scrape())('tds_backlog', { what: 'purchases' })).toBe(0));
  const late = `UPDATE purchases SET granted_at = NULL, paid_at = now() - interval '10 minutes' WHERE id = $1`;
  await billing.kit().db.query(late, [purchaseId]);
  await eventually(async () => {
    const metric = await scrape();
    expect(metric('tds_backlog', { what: 'purchases' })).toBe(1);
    expect(metric('tds_backlog_oldest_seconds', { what: 'purchases' })).toBeGreaterThanOrEqual(600);
  });
});

it('metrics show money that contradicts its purchase until an operator has looked at it', async () => {
  const { accountId, purchaseId, paymentIntentId, ref } = await billing.buy();
  const mismatchedPayments = async () =>
    (await billing.harness.scrape('billing'))('tds_backlog', { what: 'mismatched_payments' });
  await eventually(async () => expect(await mismatchedPayments()).toBe(0));
  billing.simulator.forge('charge.dispute.created', {
    ...{
      id: 'dp_large',
      payment_intent: paymentIntentId,
      amount: 5_000,
      currency: 'usd',
      status: 'needs_response',
    },
  });
  await eventually(async () => expect(await mismatchedPayments()).toBe(1));
  await eventually(() => expect(billing.ledger.block(ref)?.net).toBe(0));
  expect((await billing.find(accountId, purchaseId)).status).toBe('disputed');
  await billing.kit().db.query(`UPDATE mismatched_payments SET looked_at = now() WHERE id = 'dp_large'`);
  await eventually(async () => expect(await mismatchedPayments()).toBe(0));
});
