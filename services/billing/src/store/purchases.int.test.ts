import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { after, NOW, ofStranger, startTables, type Tables } from '../test-support/stored-purchases.ts';
import { saveAdmitted } from './admission.ts';
import { markExpired } from './checkouts.ts';
import {
  countUngranted,
  findOwnPurchase,
  findPaidPage,
  findStoredIds,
  findVisible,
  listVisible,
  markPaid,
  markProcessing,
  type StoredPurchase,
  saveReceipt,
  touch,
  touchByPayment,
} from './purchases.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

const newPayment = (id: string, paidAt = after(60_000)) => ({
  ...{ id, sessionId: `cs_${id}`, customerId: `cus_${id}`, paymentIntentId: `pi_${id}`, paidAt },
});

describe('a payment', () => {
  it('is saved with its session, its customer and its time', async () => {
    const { id } = await tables.insert();
    const payment = newPayment(id);
    await markPaid(tables.db, [payment], after(61_000));
    expect(await tables.find(id)).toMatchObject({ ...payment, state: 'paid', changedAt: after(61_000) });
  });

  it('is never older than its purchase, since the processor counts whole seconds', async () => {
    const { id } = await tables.insert({ createdAt: after(999) });
    await markPaid(tables.db, [newPayment(id, NOW)], NOW);
    expect((await tables.find(id)).paidAt).toEqual(after(999));
  });

  it('counts although its page has expired or is on its way', async () => {
    for (const state of ['expired', 'processing', 'opening'] as const) {
      const { id } = await tables.insert({ state });
      await markPaid(tables.db, [newPayment(id)], NOW);
      expect((await tables.find(id)).state).toBe('paid');
    }
  });

  it('is saved for each purchase of a batch, and for no other purchase', async () => {
    const [one, other, unpaid] = [await tables.insert(), await tables.insert(), await tables.insert()];
    await markPaid(tables.db, [newPayment(one.id), { ...newPayment(other.id), customerId: null }], NOW);
    const found = await Promise.all([one, other, unpaid].map(({ id }) => tables.find(id)));
    expect(found.map(({ paymentIntentId }) => paymentIntentId)).toEqual([
      `pi_${one.id}`,
      `pi_${other.id}`,
      null,
    ]);
    expect(found.map(({ customerId }) => customerId)).toEqual([`cus_${one.id}`, null, null]);
  });

  it('pays one purchase only', async () => {
    const [one, other] = [await tables.insert(), await tables.insert()];
    await markPaid(tables.db, [newPayment(one.id)], NOW);
    const again = { ...newPayment(other.id), paymentIntentId: `pi_${one.id}` };
    await expect(markPaid(tables.db, [again], NOW)).rejects.toThrow();
    expect((await tables.find(other.id)).state).toBe('open');
  });

  it('that takes days is processing, unless it was paid or failed before', async () => {
    const purchases = [await tables.insert(), await tables.paid(), await tables.insert({ state: 'expired' })];
    for (const { id } of purchases) await markProcessing(tables.db, id, `cs_${id}`, NOW);
    const states = await Promise.all(purchases.map(async ({ id }) => (await tables.find(id)).state));
    expect(states).toEqual(['processing', 'paid', 'expired']);
  });

  it('ends as paid in every order of its events', async () => {
    type Step = (id: string) => Promise<void>;
    const paid: Step = (id) => markPaid(tables.db, [newPayment(id)], NOW);
    const processing: Step = (id) => markProcessing(tables.db, id, `cs_${id}`, NOW);
    const expired: Step = (id) => markExpired(tables.db, id, NOW);
    const orders = [
      [paid, processing, expired],
      [paid, expired, processing],
      [processing, paid, expired],
      [processing, expired, paid],
      [expired, paid, processing],
      [expired, processing, paid],
    ];
    for (const order of orders) {
      const { id } = await tables.insert();
      for (const step of order) await step(id);
      expect((await tables.find(id)).state).toBe('paid');
    }
  });

  it('has its receipt, which changes nothing else', async () => {
    const before = await tables.paid();
    await saveReceipt(tables.db, before.id, 'https://pay.example/receipt');
    expect(await tables.find(before.id)).toEqual({ ...before, receiptUrl: 'https://pay.example/receipt' });
  });
});

describe('a change', () => {
  it('is marked at the purchase of its payment, which is null until that is saved', async () => {
    const { id, paymentIntentId } = await tables.paid();
    expect((await touchByPayment(tables.db, paymentIntentId, after(5)))?.id).toBe(id);
    expect((await tables.find(id)).changedAt).toEqual(after(5));
    expect(await touchByPayment(tables.db, `pi_${randomUUID()}`, after(5))).toBeNull();
  });
});

describe('a purchase is visible', () => {
  const ownerOf = (accountId = randomUUID()) => ({ accountId, email: `${accountId}@example.com` });

  it.each<[string, (owner: ReturnType<typeof ownerOf>) => Partial<StoredPurchase>, boolean]>([
    ['to its buyer while its page is open', ({ accountId }) => ({ accountId, state: 'open' }), true],
    ['to its buyer when it has expired', ({ accountId }) => ({ accountId, state: 'expired' }), true],
    [
      'to the owner of the address once a stranger has paid',
      ({ email }) => ({ ...ofStranger(email), state: 'paid' }),
      true,
    ],
    [
      'not to the owner of the address before that',
      ({ email }) => ({ ...ofStranger(email), state: 'open' }),
      false,
    ],
    [
      'not to the owner of the address while the payment is on its way',
      ({ email }) => ({ ...ofStranger(email), state: 'processing' }),
      false,
    ],
    [
      'not to the owner of the address if another account has accepted it',
      ({ email }) => ({ ...ofStranger(email), accountId: randomUUID(), state: 'paid' }),
      false,
    ],
    ['not to others', () => ({ state: 'paid' }), false],
  ])('%s', async (_title, given, isVisible) => {
    const owner = ownerOf();
    const payment = { paidAt: NOW, paymentIntentId: `pi_${randomUUID()}` };
    const { id } = await tables.insert({ ...payment, ...given(owner) });
    expect((await findVisible(tables.db, owner, id)) !== null).toBe(isVisible);
    expect((await listVisible(tables.db, owner, { limit: 10, offset: 0 }, true)).total).toBe(isVisible ? 1 : 0);
  });

  it('without the pages that expired unpaid if these are not wanted, so that every page is full', async () => {
    const owner = ownerOf();
    const of = { accountId: owner.accountId };
    const paid = await Promise.all([0, 9].map((ms) => tables.paid({ ...of, createdAt: after(ms) })));
    for (const ms of [1, 2, 3]) await tables.insert({ ...of, state: 'expired', createdAt: after(ms) });
    const open = await tables.insert({ ...of, state: 'open', createdAt: after(5) });
    const listed = (hasUnpaid: boolean, offset = 0) =>
      listVisible(tables.db, owner, { limit: 2, offset }, hasUnpaid);
    expect((await listed(true)).total).toBe(6);
    const [first, second] = [await listed(false), await listed(false, 2)];
    expect(first.total).toBe(3);
    expect([...first.purchases, ...second.purchases].map(({ id }) => id)).toEqual([
      paid[1]?.id,
      open.id,
      paid[0]?.id,
    ]);
  });

  it('in a list, newest first, page by page, each once', async () => {
    const owner = ownerOf();
    const times = [0, 3, 1, 2, 2].map((ms) => after(ms));
    const paid = await Promise.all(
      times.map((createdAt, index) =>
        tables.paid({
          createdAt,
          ...(index === 1 ? ofStranger(owner.email) : { accountId: owner.accountId }),
        }),
      ),
    );
    const pages = await Promise.all(
      [0, 2, 4, 6].map((offset) => listVisible(tables.db, owner, { limit: 2, offset }, true)),
    );
    expect(pages.map(({ purchases, total }) => [purchases.length, total])).toEqual([
      [2, 5],
      [2, 5],
      [1, 5],
      [0, 5],
    ]);
    const listed = pages.flatMap(({ purchases }) => purchases);
    expect(listed.map(({ createdAt }) => createdAt)).toEqual([3, 2, 2, 1, 0].map((ms) => after(ms)));
    expect(new Set(listed.map(({ id }) => id))).toEqual(new Set(paid.map(({ id }) => id)));
  });

  it('for a refund only to its account, not to the owner of an address before acceptance', async () => {
    const owner = ownerOf();
    const { id } = await tables.paid(ofStranger(owner.email));
    expect(await findOwnPurchase(tables.db, owner.accountId, id)).toBeNull();
    await saveAdmitted(tables.db, id, owner.accountId, NOW);
    expect((await findOwnPurchase(tables.db, owner.accountId, id))?.id).toBe(id);
    expect(await findOwnPurchase(tables.db, randomUUID(), id)).toBeNull();
  });
});

it('ids are known exactly if their purchases exist', async () => {
  const { id } = await tables.insert();
  expect(await findStoredIds(tables.db, [id, randomUUID()])).toEqual(new Set([id]));
});

describe('pages of paid purchases', () => {
  it('contain each that changed since, in the order of changes, once, and no unpaid one', async () => {
    const since = after(10_000_000);
    const at = (ms: number) => ({ changedAt: new Date(since.getTime() + ms) });
    const wanted = await Promise.all([0, 1, 1, 1, 2].map((ms) => tables.paid(at(ms))));
    await tables.paid(at(-1));
    await tables.insert({ ...at(1), state: 'expired' });
    const found: StoredPurchase[] = [];
    for (let page = await findPaidPage(tables.db, { since, after: null, limit: 2 }); page.length > 0; ) {
      found.push(...page);
      page = await findPaidPage(tables.db, { since, after: page.at(-1) ?? null, limit: 2 });
    }
    expect(found.map(({ id }) => id).toSorted()).toEqual(wanted.map(({ id }) => id).toSorted());
    expect(found.map(({ changedAt }) => changedAt.getTime() - since.getTime())).toEqual([0, 1, 1, 1, 2]);
  });
});

describe('the backlog of grants', () => {
  it('counts paid purchases of accounts without a grant, and strangers only after acceptance', async () => {
    const now = new Date();
    const before = (await countUngranted(tables.db)).count;
    const { id } = await tables.paid({ changedAt: now, paidAt: now });
    const waiting = await tables.paid({ ...ofStranger(), changedAt: now, paidAt: now });
    await tables.paid({ changedAt: now, paidAt: now, grantedAt: now });
    expect((await countUngranted(tables.db)).count).toBe(before + 1);
    await saveAdmitted(tables.db, waiting.id, randomUUID(), now);
    expect((await countUngranted(tables.db)).count).toBe(before + 2);
    await touch(tables.db, id, new Date(Date.now() - 9 * 86_400_000));
    expect((await countUngranted(tables.db)).count).toBe(before + 1);
  });
});
