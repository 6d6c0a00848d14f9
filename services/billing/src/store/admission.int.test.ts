import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WAITING_MS } from '../domain/checkout.ts';
import { after, NOW, ofStranger, startTables, type Tables } from '../test-support/stored-purchases.ts';
import { admitFirst, countPurchases, findUnaccepted, lockAdmission, saveAdmitted } from './admission.ts';
import { insertRequest, markSubmitted, markTaken, saveDispute, saveRefund } from './money.ts';
import type { StoredPurchase } from './purchases.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const usd = { currency: 'usd' };
const refund = async (paymentIntentId: string, amount: number, status: 'succeeded' | 'failed' = 'succeeded') =>
  saveRefund(tables.db, { ...usd, id: randomUUID(), paymentIntentId, amount, status });
const dispute = async (paymentIntentId: string, amount: number, status: 'open' | 'won' | 'lost') =>
  saveDispute(tables.db, { ...usd, id: randomUUID(), paymentIntentId, amount, status });
const refundPurchase = async (purchaseId: string, ends: 'taken' | 'submitted' | 'refused') => {
  await insertRequest(tables.db, { purchaseId, reason: null, state: 'asked' }, NOW);
  await markTaken(tables.db, purchaseId);
  if (ends !== 'taken') await markSubmitted(tables.db, purchaseId, ends === 'submitted' ? randomUUID() : null);
};
/** Admits within a transaction that holds the lock, as the service does. */
const admit = (accountId: string, ids: readonly string[]) =>
  tables.db.$transaction(async (tx) => {
    await lockAdmission(tx, [accountId]);
    return admitFirst(tx, ids);
  });

describe('the net purchases of an account', () => {
  type Paid = StoredPurchase & { readonly paymentIntentId: string };
  it.each<[string, number, (paid: Paid) => Promise<unknown>]>([
    ['contain a paid one', 1, async () => null],
    ['contain one of which a part was refunded', 1, ({ paymentIntentId }) => refund(paymentIntentId, 899)],
    ['contain no fully refunded one', 0, ({ paymentIntentId }) => refund(paymentIntentId, 900)],
    ['contain one whose refund failed', 1, ({ paymentIntentId }) => refund(paymentIntentId, 900, 'failed')],
    [
      'contain a disputed one: a dispute makes no room',
      1,
      ({ paymentIntentId }) => dispute(paymentIntentId, 900, 'open'),
    ],
    ['contain one whose dispute is lost', 1, ({ paymentIntentId }) => dispute(paymentIntentId, 900, 'lost')],
    ['contain none whose block is taken back', 0, ({ id }) => refundPurchase(id, 'taken')],
    ['contain none whose refund is submitted', 0, ({ id }) => refundPurchase(id, 'submitted')],
    ['contain one whose refund the processor rejected', 1, ({ id }) => refundPurchase(id, 'refused')],
  ])('%s', async (_title, count, change) => {
    const paid = await tables.paid();
    await change(paid);
    expect(await countPurchases(tables.db, paid.accountId as string)).toBe(count);
  });

  it('contain payments that are on their way, and no open or expired page', async () => {
    const accountId = randomUUID();
    const states = ['processing', 'processing', 'open', 'expired'] as const;
    for (const state of states) await tables.insert({ accountId, state });
    expect(await countPurchases(tables.db, accountId)).toBe(2);
  });

  it('contain those of strangers only once they are accepted', async () => {
    const accountId = randomUUID();
    const { id } = await tables.paid(ofStranger());
    expect(await countPurchases(tables.db, accountId)).toBe(0);
    await saveAdmitted(tables.db, id, accountId, NOW);
    expect(await countPurchases(tables.db, accountId)).toBe(1);
    expect(await tables.find(id)).toMatchObject({ accountId, admittedAt: NOW, changedAt: NOW });
  });

  it('are none for an account that never bought', async () => {
    expect(await countPurchases(tables.db, randomUUID())).toBe(0);
  });
});

describe('the admission of first purchases', () => {
  it('admits exactly one of many that were paid at once, for any number of concurrent tasks', async () => {
    const accountId = randomUUID();
    const paid = await Promise.all(Array.from({ length: 6 }, () => tables.paid({ accountId })));
    const admitted = await Promise.all(paid.map(({ id }) => admit(accountId, [id])));
    expect(admitted.filter(({ size }) => size === 1)).toHaveLength(1);
  });

  it('admits the one that was paid first, if one task has several', async () => {
    const accountId = randomUUID();
    const second = await tables.paid({ accountId, paidAt: after(1_000) });
    const first = await tables.paid({ accountId });
    expect(await admit(accountId, [second.id, first.id])).toEqual(new Set([first.id]));
  });

  it('answers the same for a repeat', async () => {
    const { id, accountId } = await tables.paid();
    const once = await admit(accountId as string, [id]);
    const before = await tables.find(id);
    expect(await admit(accountId as string, [id])).toEqual(once);
    expect((await tables.find(id)).admittedAt).toEqual(before.admittedAt);
  });

  it('admits purchases of several accounts together, one of each', async () => {
    const accounts = [randomUUID(), randomUUID()];
    const paid = await Promise.all([...accounts, ...accounts].map((accountId) => tables.paid({ accountId })));
    const ids = paid.map(({ id }) => id);
    const admitted = await tables.db.$transaction(async (tx) => {
      await lockAdmission(tx, accounts);
      return admitFirst(tx, ids);
    });
    const owners = paid.filter(({ id }) => admitted.has(id)).map(({ accountId }) => accountId);
    expect(owners.toSorted()).toEqual(accounts.toSorted());
  });

  it('does not block two tasks that name the same accounts in opposite orders', async () => {
    const accounts = [randomUUID(), randomUUID(), randomUUID()];
    const task = (order: readonly string[]) =>
      tables.db.$transaction(async (tx) => {
        for (let times = 0; times < 2; times += 1) await lockAdmission(tx, order);
      });
    const tasks = Array.from({ length: 10 }, (_, index) =>
      task(index % 2 === 0 ? accounts : accounts.toReversed()),
    );
    await expect(Promise.all(tasks)).resolves.toHaveLength(10);
  });

  it.each<[string, boolean, (id: string, paymentIntentId: string) => Promise<unknown>]>([
    ['stands', false, async () => null],
    ['is disputed', false, async (_id, payment) => dispute(payment, 900, 'open')],
    ['is refunded in part', false, async (_id, payment) => refund(payment, 1)],
    ['is refunded', true, async (_id, payment) => refund(payment, 900)],
    ['is refunded', true, async (id) => refundPurchase(id, 'taken')],
    ['is refunded and the refund failed', false, async (_id, payment) => refund(payment, 900, 'failed')],
  ])('after an admitted one that %s admits another one: %s', async (_what, expected, change) => {
    const first = await tables.paid();
    const accountId = first.accountId as string;
    await admit(accountId, [first.id]);
    await change(first.id, first.paymentIntentId);
    const second = await tables.paid({ accountId });
    expect((await admit(accountId, [second.id])).has(second.id)).toBe(expected);
  });

  it('counts an accepted purchase of a stranger like one of the account itself', async () => {
    const accountId = randomUUID();
    const stranger = await tables.paid(ofStranger());
    await saveAdmitted(tables.db, stranger.id, accountId, NOW);
    const own = await tables.paid({ accountId });
    expect(await admit(accountId, [own.id])).toEqual(new Set());
  });

  it('never admits a purchase that waits for acceptance, since it belongs to no account', async () => {
    const { id } = await tables.paid(ofStranger());
    expect(await admit(randomUUID(), [id])).toEqual(new Set());
  });
});

describe('purchases that waited too long for acceptance', () => {
  const oldTime = after(-WAITING_MS);
  const waiting = (paidAt = oldTime) => tables.paid({ ...ofStranger(), paidAt });
  const found = async (limit = 1_000) => findUnaccepted(tables.db, NOW, limit);

  it('are found after ninety days, to the millisecond', async () => {
    const [old, young] = [await waiting(), await waiting(new Date(oldTime.getTime() + 1))];
    const ids = await found();
    expect([ids.includes(old.id), ids.includes(young.id)]).toEqual([true, false]);
  });

  it('are found oldest first, at most as many as wanted', async () => {
    const oldest = await waiting(after(-2 * WAITING_MS));
    expect(await found(1)).toEqual([oldest.id]);
  });

  it('are not found once accepted, refunded, disputed, or if their refund has begun', async () => {
    const [accepted, refunded, disputed] = [await waiting(), await waiting(), await waiting()];
    const [begun, partly] = [await waiting(), await waiting()];
    const purchases = [accepted, refunded, disputed, begun, partly];
    await saveAdmitted(tables.db, accepted.id, randomUUID(), NOW);
    await refund(refunded.paymentIntentId, 900);
    await dispute(disputed.paymentIntentId, 900, 'open');
    await refundPurchase(begun.id, 'refused');
    await refund(partly.paymentIntentId, 899);
    const ids = await found();
    expect(purchases.filter(({ id }) => ids.includes(id))).toEqual([partly]);
  });

  it('are found again if their dispute is won', async () => {
    const { id, paymentIntentId } = await waiting();
    await dispute(paymentIntentId, 900, 'won');
    expect(await found()).toContain(id);
  });

  it('are never purchases of accounts, however old', async () => {
    const { id } = await tables.paid({ paidAt: oldTime });
    expect(await found()).not.toContain(id);
  });
});
