import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NOW, ofStranger, startTables, type Tables } from '../test-support/stored-purchases.ts';
import { findCustomer, renewStatuses, saveCustomer, saveGranted } from './customers.ts';
import { insertRequest, saveDispute, saveRefund } from './money.ts';
import type { StoredPurchase } from './purchases.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const usd = { currency: 'usd' };
const granted = async (given: Partial<StoredPurchase> = {}) => {
  const paid = await tables.paid(given);
  await saveGranted(tables.db, [paid.id]);
  return { ...paid, accountId: paid.accountId as string };
};
const renew = async (accountId: string) => (await renewStatuses(tables.db, [accountId]))[0] ?? null;
const netOf = async (accountId: string) => {
  const { tier, isDisputed } = await tables.db.customer.findUniqueOrThrow({ where: { accountId } });
  return { tier, isDisputed };
};

describe('the customer of an account', () => {
  it('is the first that is saved, for any number of concurrent requests', async () => {
    const accountId = randomUUID();
    const offered = Array.from({ length: 6 }, () => `cus_${randomUUID()}`);
    await Promise.all(offered.map((id) => saveCustomer(tables.db, accountId, id)));
    const first = await findCustomer(tables.db, accountId);
    expect(offered).toContain(first);
    await saveCustomer(tables.db, accountId, 'cus_later');
    expect(await findCustomer(tables.db, accountId)).toBe(first);
  });

  it('is unknown until it is saved, also if the account has a net', async () => {
    const { accountId } = await granted();
    expect(await findCustomer(tables.db, accountId)).toBeNull();
    await saveCustomer(tables.db, accountId, `cus_${accountId}`);
    expect(await findCustomer(tables.db, accountId)).toBe(`cus_${accountId}`);
  });

  it('keeps the net of the account when it is saved', async () => {
    const { accountId } = await granted();
    await renew(accountId);
    await saveCustomer(tables.db, accountId, `cus_${accountId}`);
    expect(await netOf(accountId)).toEqual({ tier: 'paid', isDisputed: false });
  });

  it('is saved by concurrent requests that all got it from the processor', async () => {
    for (const accountId of Array.from({ length: 20 }, () => randomUUID())) {
      const saving = Array.from({ length: 8 }, () => saveCustomer(tables.db, accountId, `cus_${accountId}`));
      expect(await Promise.allSettled(saving)).toEqual(
        saving.map(() => expect.objectContaining({ status: 'fulfilled' })),
      );
      expect(await findCustomer(tables.db, accountId)).toBe(`cus_${accountId}`);
    }
  });

  it('belongs to one account only', async () => {
    await saveCustomer(tables.db, randomUUID(), 'cus_shared');
    await expect(saveCustomer(tables.db, randomUUID(), 'cus_shared')).rejects.toThrow();
  });
});

describe('a granted purchase', () => {
  it('keeps the time of its first grant', async () => {
    const { id } = await granted();
    const { grantedAt } = await tables.find(id);
    expect(grantedAt).not.toBeNull();
    await saveGranted(tables.db, [id]);
    expect((await tables.find(id)).grantedAt).toEqual(grantedAt);
  });

  it('names the customers of its batch once each, and none for strangers', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const paid = await Promise.all([one, one, other].map((accountId) => tables.paid({ accountId })));
    const accepted = await tables.paid({ ...ofStranger(), accountId: randomUUID() });
    const ids = [...paid, accepted].map(({ id }) => id);
    expect((await saveGranted(tables.db, ids)).toSorted()).toEqual([one, other].toSorted());
    expect(await tables.db.customer.count({ where: { accountId: accepted.accountId as string } })).toBe(0);
    expect((await tables.find(accepted.id)).grantedAt).not.toBeNull();
  });

  it('in batches of opposite orders blocks none of them', async () => {
    const paid = await Promise.all(Array.from({ length: 12 }, () => tables.paid()));
    const ids = paid.map(({ id }) => id);
    const batches = Array.from({ length: 6 }, (_, index) =>
      tables.db.$transaction((tx) => saveGranted(tx, index % 2 === 0 ? ids : ids.toReversed())),
    );
    for (const accounts of await Promise.all(batches)) expect(accounts).toHaveLength(12);
  });

  it('of an empty batch changes nothing', async () => {
    expect(await saveGranted(tables.db, [])).toEqual([]);
    expect(await renewStatuses(tables.db, [])).toEqual([]);
  });
});

describe('the net of a customer', () => {
  type Granted = Awaited<ReturnType<typeof granted>>;
  const refund = ({ paymentIntentId }: Granted, amount: number, status: 'succeeded' | 'failed' = 'succeeded') =>
    saveRefund(tables.db, { ...usd, id: randomUUID(), paymentIntentId, amount, status });
  const dispute = (
    { paymentIntentId }: Granted,
    amount: number,
    status: 'open' | 'won' | 'lost',
    id: string = randomUUID(),
  ) => saveDispute(tables.db, { ...usd, id, paymentIntentId, amount, status });
  const takeBack = ({ id }: Granted) =>
    insertRequest(tables.db, { purchaseId: id, reason: null, state: 'taken' }, NOW);

  it.each<[string, 'paid' | 'free', boolean, (paid: Granted) => Promise<unknown>]>([
    ['that paid', 'paid', false, async () => null],
    ['that got a part refunded', 'paid', false, (paid) => refund(paid, 899)],
    ['that got all refunded', 'free', false, (paid) => refund(paid, 900)],
    ['whose refund failed', 'paid', false, (paid) => refund(paid, 900, 'failed')],
    ['that gave its block back', 'free', false, takeBack],
    ['that disputes', 'free', true, (paid) => dispute(paid, 900, 'open')],
    ['that disputes a part', 'paid', true, (paid) => dispute(paid, 1, 'open')],
    ['that lost its dispute to us', 'paid', false, (paid) => dispute(paid, 900, 'won')],
    ['that won its dispute', 'free', true, (paid) => dispute(paid, 900, 'lost')],
  ])('%s is %s, and disputed: %s', async (_who, tier, isDisputed, change) => {
    const paid = await granted();
    await change(paid);
    await renew(paid.accountId);
    expect(await netOf(paid.accountId)).toEqual({ tier, isDisputed });
  });

  it('is emitted when it changes, and not when it stays', async () => {
    const paid = await granted();
    expect(await renew(paid.accountId)).toMatchObject({
      accountId: paid.accountId,
      tier: 'paid',
      isDisputed: false,
    });
    expect(await renew(paid.accountId)).toBeNull();
    await dispute(paid, 900, 'open', 'dp_emitted');
    expect(await renew(paid.accountId)).toMatchObject({ tier: 'free', isDisputed: true });
    await dispute(paid, 900, 'won', 'dp_emitted');
    expect(await renew(paid.accountId)).toMatchObject({ tier: 'paid', isDisputed: false });
  });

  it('has a greater version each time, even if the last one is of the future after a restore', async () => {
    const paid = await granted();
    const first = await renew(paid.accountId);
    const future = Date.now() + 3_600_000;
    await tables.db.customer.update({ where: { accountId: paid.accountId }, data: { version: future } });
    await refund(paid, 900);
    const second = await renew(paid.accountId);
    expect(Math.abs((first?.version ?? 0) - Date.now())).toBeLessThan(600_000);
    expect(second?.version).toBe(future + 1);
  });

  it('is paid as long as one purchase stands, and disputed as long as one is disputed', async () => {
    const one = await granted();
    const other = await granted({ accountId: one.accountId });
    await refund(one, 900);
    await dispute(other, 450, 'open');
    await renew(one.accountId);
    expect(await netOf(one.accountId)).toEqual({ tier: 'paid', isDisputed: true });
    await refund(other, 900);
    expect(await renew(one.accountId)).toMatchObject({ tier: 'free', isDisputed: true });
  });

  it('does not depend on purchases of strangers, which others may dispute at will', async () => {
    const { accountId } = await granted();
    const strange = await granted({ ...ofStranger(), accountId });
    await renew(accountId);
    await dispute(strange, 900, 'open');
    expect(await renew(accountId)).toBeNull();
    expect(await netOf(accountId)).toEqual({ tier: 'paid', isDisputed: false });
  });

  it('does not depend on a purchase that is paid and not granted', async () => {
    const accountId = randomUUID();
    await tables.paid({ accountId });
    await saveCustomer(tables.db, accountId, `cus_${accountId}`);
    expect(await renew(accountId)).toBeNull();
    expect(await netOf(accountId)).toEqual({ tier: 'free', isDisputed: false });
  });

  it('of an account without a row is not made up', async () => {
    expect(await renew(randomUUID())).toBeNull();
  });

  it('of several customers is renewed together, each by its own purchases', async () => {
    const [one, other] = [await granted(), await granted()];
    await refund(other, 900);
    await renewStatuses(tables.db, [one.accountId, other.accountId]);
    expect([await netOf(one.accountId), await netOf(other.accountId)]).toMatchObject([
      { tier: 'paid' },
      { tier: 'free' },
    ]);
  });
});
