import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { CREDIT_BLOCKS, purchaseRef } from '@tds/contracts';
import { eventually, proven } from '@tds/test-kit';
import fc from 'fast-check';
import { startBilling, type TestBilling } from './test-support/start-billing.ts';

const SEED = 27;
const PURCHASES = proven(150, 2_000);
const AT_ONCE = 25;

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

const fate = fc.record({
  block: fc.constantFrom(...CREDIT_BLOCKS),
  webhooks: fc.constantFrom('once', 'repeat', 'lose', 'hold', 'late'),
  end: fc.constantFrom('kept', 'kept', 'unpaid', 'refunded', 'given back', 'won', 'lost', 'open dispute'),
});
type PurchaseHistory = typeof fate extends fc.Arbitrary<infer F> ? F : never;

const meet = ({ webhooks }: PurchaseHistory): void => {
  if (webhooks === 'repeat') billing.simulator.fault({ kind: 'repeat', copies: 3, times: 3 });
  else if (webhooks === 'late') billing.simulator.fault({ kind: 'late', delayMs: 50, times: 3 });
  else if (webhooks !== 'once') billing.simulator.fault({ kind: webhooks, times: 3 });
};

/** Resolves to the credits expected in the end. */
const live = async (given: PurchaseHistory): Promise<readonly [string, number]> => {
  const { block, end } = given;
  // A busy machine may be late: the buyer retries.
  const { purchaseId } = await eventually(() => billing.open({ accountId: randomUUID(), block }));
  const ref = purchaseRef(purchaseId);
  if (end === 'unpaid') return [ref, 0];
  meet(given);
  const paymentIntentId = billing.pay(purchaseId);
  if (end === 'kept') return [ref, block];
  if (end === 'refunded' || end === 'given back') {
    const refund = billing.simulator.refund(paymentIntentId);
    if (end === 'refunded') return [ref, 0];
    billing.simulator.failRefund(refund.id);
    return [ref, block];
  }
  const dispute = billing.simulator.dispute(paymentIntentId);
  if (end !== 'open dispute') billing.simulator.closeDispute(dispute.id, end === 'won' ? 'won' : 'lost');
  return [ref, end === 'won' ? block : 0];
};

it('of many purchases, with events lost, late, repeated and reversed, the credits equal the payments less the refunds', async () => {
  const fates = fc.sample(fate, { seed: SEED, numRuns: PURCHASES });
  const expected = new Map<string, number>();
  for (let first = 0; first < fates.length; first += AT_ONCE) {
    const lived = await Promise.all(fates.slice(first, first + AT_ONCE).map(live));
    for (const [ref, net] of lived) expected.set(ref, net);
  }
  billing.simulator.clearFaults();
  billing.simulator.release();
  for (const event of billing.simulator.events().slice(-300)) billing.simulator.resend(event);
  await billing.simulator.whenIdle();
  await billing.handlers().schedules.reconcileEvents(billing.context());
  await eventually(() => {
    const found = [...expected.keys()].map((ref) => [ref, billing.ledger.block(ref)?.net ?? 0]);
    expect(new Map(found as [string, number][])).toEqual(expected);
  });
  // A busy machine answers some with an error; the processor sends these again.
  const refusals = billing.receiver.refusals.filter((code) => code !== 'service_unavailable');
  expect(refusals).toEqual([]);
});
