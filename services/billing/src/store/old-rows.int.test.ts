import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { after, NOW, startTables, type Tables } from '../test-support/stored-purchases.ts';
import { countCheckout } from './checkouts.ts';
import { insertRequest, noteMismatch, saveDispute, saveRefund } from './money.ts';
import { purgeOldRows } from './old-rows.ts';
import { findStoredEvents, insertEvents } from './payment-events.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = 60 * DAY_MS;
const { signal } = new AbortController();

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
beforeEach(async () => {
  await tables.db.purchase.deleteMany({ where: { state: 'expired' } });
});
afterAll(() => tables.stop());

const purge = (now = NOW) => purgeOldRows(tables.db, now, { signal });

describe('a purge', () => {
  it('deletes events after sixty days, and keeps younger ones, which may arrive again', async () => {
    const newEvent = () => ({ id: `evt_${randomUUID()}`, type: 'a.b', created: 0 });
    const [old, young] = [newEvent(), newEvent()];
    await insertEvents(tables.db, [old], after(-KEPT_MS - 1));
    await insertEvents(tables.db, [young], after(-KEPT_MS + 1_000));
    await purge();
    expect(await findStoredEvents(tables.db, [old.id, young.id])).toEqual(new Set([young.id]));
  });

  it('deletes purchases that expired unpaid, sixty days after they expired', async () => {
    const old = await tables.insert({ state: 'expired', changedAt: after(-KEPT_MS - 1) });
    const young = await tables.insert({ state: 'expired', changedAt: after(-KEPT_MS + 1_000) });
    await purge();
    const left = await tables.db.purchase.findMany({ where: { id: { in: [old.id, young.id] } } });
    expect(left.map(({ id }) => id)).toEqual([young.id]);
  });

  it.each(['opening', 'open', 'processing', 'paid'] as const)(
    'never deletes a purchase that is %s, however old',
    async (state) => {
      const times = { changedAt: new Date(0), createdAt: new Date(0), expiresAt: new Date(0) };
      const paid = { paidAt: new Date(0), paymentIntentId: `pi_${randomUUID()}` };
      const { id } = await tables.insert({ state, ...times, ...(state === 'paid' && paid) });
      await purge();
      expect((await tables.find(id)).state).toBe(state);
    },
  );

  it('never deletes refunds, disputes, requests, customers or what operators have to look at', async () => {
    const { id, paymentIntentId, accountId } = await tables.paid({ changedAt: new Date(0) });
    const money = { id: randomUUID(), paymentIntentId, amount: 1, currency: 'usd' };
    await saveRefund(tables.db, { ...money, status: 'failed' });
    await saveDispute(tables.db, { ...money, status: 'won' });
    await insertRequest(tables.db, { purchaseId: id, reason: null, state: 'asked' }, new Date(0));
    await noteMismatch(tables.db, id, 'payment_refund_mismatch');
    await tables.db.customer.create({ data: { accountId: accountId as string } });
    await purge(after(10 * 365 * DAY_MS));
    const counts = await Promise.all([
      tables.db.refund.count(),
      tables.db.dispute.count(),
      tables.db.refundRequest.count(),
      tables.db.mismatchedPayment.count(),
      tables.db.customer.count(),
    ]);
    expect(counts).toEqual([1, 1, 1, 1, 1]);
  });

  it('deletes windows after their hour, and no allowance that is still counted', async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    await countCheckout(tables.db, old, 1, after(-3_600_001));
    await countCheckout(tables.db, young, 1, after(-3_599_000));
    await purge();
    expect(await countCheckout(tables.db, young, 1, NOW)).not.toBeNull();
    expect(await countCheckout(tables.db, old, 1, NOW)).toBeNull();
  });

  it('may run twice at once, and finds nothing the next time', async () => {
    const old = { state: 'expired', changedAt: after(-KEPT_MS - 1) } as const;
    for (let count = 0; count < 20; count += 1) await tables.insert(old);
    await Promise.all([purge(), purge()]);
    expect(await tables.db.purchase.count({ where: { state: 'expired' } })).toBe(0);
    await purge();
  });
});
