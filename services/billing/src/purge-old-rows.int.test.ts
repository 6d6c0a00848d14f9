import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startBilling, type TestBilling } from './test-support/start-billing.ts';

const DAYS_61_MS = 61 * 86_400_000;
let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

it('paid purchases stay for ever; unpaid pages, events and throttles are deleted', async () => {
  const { accountId, purchaseId } = await billing.buy();
  const other = randomUUID();
  const { purchaseId: unpaid } = await billing.open({ accountId: other });
  const { schedules } = billing.handlers();
  await billing.later(DAYS_61_MS, async () => {
    await schedules.expireCheckouts(billing.context());
    await schedules.purgeOldRows(billing.context());
  });
  expect((await billing.find(other, unpaid)).status).toBe('expired');
  await billing.later(2 * DAYS_61_MS, () => schedules.purgeOldRows(billing.context()));
  expect(await billing.list(other)).toEqual([]);
  expect(await billing.list(accountId)).toMatchObject([{ id: purchaseId, status: 'paid' }]);
  const { db } = billing.kit();
  for (const table of ['payment_events', 'checkout_windows'])
    expect((await db.query(`SELECT FROM ${table}`)).rows).toEqual([]);
});
