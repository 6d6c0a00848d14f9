import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { startBilling, type TestBilling } from '../test-support/start-billing.ts';

const DAYS_91_MS = 91 * 86_400_000;

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

const listRefundedAmounts = (paymentIntentId: string) =>
  billing.simulator
    .refunds()
    .filter(({ payment_intent: intent }) => intent === paymentIntentId)
    .map(({ amount }) => Number(amount))
    .toSorted((a, b) => a - b);
const readStatus = async (accountId: string, purchaseId: string) =>
  (await billing.find(accountId, purchaseId)).status;
const readRequestState = async (purchaseId: string) => {
  const text = 'SELECT state FROM refund_requests WHERE purchase_id = $1';
  return (await billing.kit().db.query(text, [purchaseId])).rows[0]?.state;
};

describe('a purchase of a stranger of which a part was refunded', () => {
  it('returns the rest of its money if it is not accepted within ninety days', async () => {
    const { accountId, purchaseId, paymentIntentId } = await billing.give(randomUUID());
    billing.simulator.refund(paymentIntentId, 300);
    await eventually(async () => expect(await readStatus(accountId, purchaseId)).toBe('refunded'));
    await billing.later(DAYS_91_MS, () => billing.handlers().schedules.returnUnaccepted(billing.context()));
    await eventually(async () => expect(await readRequestState(purchaseId)).toMatch(/submitted|refused/));
    expect(listRefundedAmounts(paymentIntentId)).toEqual([300, 600]);
    expect(await readRequestState(purchaseId)).toBe('submitted');
  });

  it('returns the rest of its money at once if the account of its address is closed', async () => {
    const { accountId, paymentIntentId, purchaseId } = await billing.give(randomUUID());
    const email = billing.identity.emailOf(accountId);
    billing.identity.accounts.set(email, { accountId, isClosed: true });
    billing.simulator.refund(paymentIntentId, 1);
    await eventually(async () => expect(await readRequestState(purchaseId)).toMatch(/submitted|refused/));
    expect(listRefundedAmounts(paymentIntentId)).toEqual([1, 899]);
  });
});

describe('a refund for a closed account that the processor rejects', () => {
  it('is submitted once, and does not repeat its task forever', async () => {
    const { accountId, purchaseId, paymentIntentId } = await billing.give(randomUUID());
    const email = billing.identity.emailOf(accountId);
    billing.identity.accounts.set(email, { accountId, isClosed: true });
    // The processor rejects refunds of disputed payments, and the event of the dispute is lost.
    billing.simulator.fault({ kind: 'lose', match: 'dispute' });
    billing.simulator.dispute(paymentIntentId);
    const object = { id: `re_${randomUUID()}`, payment_intent: paymentIntentId, amount: 1, currency: 'usd' };
    billing.simulator.forge('refund.created', { ...object, status: 'succeeded' });
    await eventually(async () => expect(await readRequestState(purchaseId)).toBe('refused'));
    const count = async (where: string) =>
      (await billing.kit().db.query(`SELECT FROM messaging.tasks WHERE ${where}`)).rowCount ?? 0;
    await eventually(async () => expect(await count(`state = 'ready'`)).toBe(0));
    // Tasks that have ended stay for a day: one that repeats itself would have left hundreds.
    expect(await count(`payload::text LIKE '%${purchaseId}%'`)).toBeLessThanOrEqual(5);
  });
});
