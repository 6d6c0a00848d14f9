import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { purchaseRef } from '@tds/contracts';
import { passLeases } from '@tds/kit/testing';
import { doomedProcesses, dueRows, eventually, proven } from '@tds/test-kit';
import { startBilling, type TestBilling } from './test-support/start-billing.ts';

const program = path.resolve(import.meta.dirname, 'main.ts');
const WITHIN = { everyMs: 250 };

let billing: TestBilling;
const doomed = doomedProcesses(program, () => ({
  ...billing.harness.environmentOf('billing'),
  ...billing.settings,
}));
beforeAll(async () => {
  // A dead process answers no event, and the processor repeats it then.
  billing = await startBilling({}, { timeoutMs: 2_000 });
});
afterAll(async () => {
  doomed.stop();
  await billing?.stop();
});

const atTheProcessor = (paymentIntentId: string) =>
  billing.simulator.refunds().filter(({ payment_intent: intent }) => intent === paymentIntentId);

/** The next process looks at accounts at once. */
const makeRefillsDue = async () => {
  const pool = createTestPool(billing.database.adminUrl, 1);
  const rows = dueRows('billing', (text, values) => pool.query(text, values));
  await rows.makeDue('messaging.schedules', { where: "name = 'refill-low-accounts'" });
  await pool.end();
};

/** The kit's tests walk through its crash points: with billing's transactions, they are repeated. */
const pointsOf = (command: string, own: string, task: string) =>
  proven(
    [`${own}:${task}`],
    [
      `transaction-committed:${command}`,
      ...['task-claimed', own, 'task-handled', 'task-completed'].map((point) => `${point}:${task}`),
    ],
  );

describe('killed billing', () => {
  it.each(pointsOf('receive-payment-event', 'purchase-granted', 'grant-purchases'))(
    'at %s after payments grants each block once',
    async (crashAt) => {
      const bought = await Promise.all(
        [randomUUID(), randomUUID(), randomUUID()].map(async (accountId) => {
          const { purchaseId } = await billing.open({ accountId });
          return { accountId, purchaseId, ref: purchaseRef(purchaseId) };
        }),
      );
      await billing.stopService();
      for (const { purchaseId } of bought) billing.pay(purchaseId);
      await doomed.dieAt(crashAt);
      await passLeases('billing', billing.database);
      await billing.startService();
      await eventually(async () => {
        for (const { accountId, purchaseId, ref } of bought) {
          expect(billing.ledger.block(ref)?.net).toBe(20);
          expect((await billing.find(accountId, purchaseId)).status).toBe('paid');
        }
      }, WITHIN);
      for (const { accountId } of bought) expect(billing.ledger.books().account(accountId).purchased).toBe(20);
    },
  );

  it.each(pointsOf('request-refund', 'refund-submitted', 'settle-purchase'))(
    'at %s during a refund returns the money once, and the block with it',
    async (crashAt) => {
      const { accountId, purchaseId, paymentIntentId, ref } = await billing.buy();
      await billing.stopService();
      await doomed.dieAt(crashAt, () => billing.refund(accountId, purchaseId));
      await passLeases('billing', billing.database);
      await billing.startService();
      // A customer who got no answer repeats the request, which moves no money twice.
      await eventually(() => billing.refund(accountId, purchaseId), WITHIN);
      await eventually(async () => {
        expect(atTheProcessor(paymentIntentId)).toHaveLength(1);
        expect((await billing.find(accountId, purchaseId)).refund?.status).toBe('succeeded');
      }, WITHIN);
      expect(billing.ledger.block(ref)?.net).toBe(0);
    },
  );

  it.each([
    ...pointsOf('', 'refill-charged', 'charge-refill').filter((point) => !point.endsWith(':')),
    ...['task-claimed', 'task-handled', 'task-completed'].map((point) => `${point}:refill-account`),
    'transaction-committed:refill-account',
    'transaction-committed:charge-refill',
  ])('at %s during a refill charges the card once, and grants one block', async (crashAt) => {
    const { refills } = billing;
    const accountId = refills.account();
    await refills.setUp(accountId);
    await refills.looks();
    billing.ledger.spend(accountId, 20);
    await billing.stopService();
    await makeRefillsDue();
    await doomed.dieAt(crashAt);
    await passLeases('billing', billing.database);
    await billing.startService();
    await refills.bought(accountId, 20);
    await refills.looks();
    expect(refills.intentsOf(accountId).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect(await refills.purchasesOf(accountId)).toMatchObject([{ status: 'paid' }, { status: 'paid' }]);
    // An event may come twice; who listens acts upon it once.
    const refilled = billing.refilled.filter((refill) => refill.accountId === accountId);
    expect(new Set(refilled.map(({ purchaseId }) => purchaseId)).size).toBe(2);
  });
});
