import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { codeOf } from '@tds/test-kit';
import { insertRequest, saveRefund } from '../store/money.ts';
import { readUpTo, saveUpTo } from '../store/payment-events.ts';
import { type Books, newEvent, sessionOf, startBooks } from '../test-support/start-books.ts';
import { newPurchase, ofStranger } from '../test-support/stored-purchases.ts';
import type { Session } from '../upstream/wire.ts';
import { findLostPurchases, purchaseIdOf, reconcileWithLedger, recreatePurchases } from './reconciliation.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

let books: Books;
beforeAll(async () => {
  books = await startBooks();
});
beforeEach(() => books.fail([]));
afterAll(() => books.stop());

const EVERY = { since: new Date(0), olderThanMs: -MINUTE_MS };
const reconcile = (range = EVERY) => reconcileWithLedger(books.deps, range, books.context);
const bought = async (given: object = {}) => {
  const purchase = await books.tables.insert(given);
  await books.apply(newEvent('checkout.session.completed', sessionOf(purchase)));
  await books.drain();
  return { ...purchase, accountId: purchase.accountId as string, paymentIntentId: `pi_${purchase.id}` };
};
const dropBlock = ({ id }: { readonly id: string }) => books.ledger.books().blocks.delete(`purchase:${id}`);
const refundAll = ({ paymentIntentId }: { readonly paymentIntentId: string }) =>
  saveRefund(books.tables.db, {
    ...{ id: randomUUID(), paymentIntentId, amount: 900, currency: 'usd', status: 'succeeded' },
  });

describe('the comparison with the ledger', () => {
  it('enqueues nothing if both agree', async () => {
    await bought();
    await bought(ofStranger());
    await reconcile();
    expect(books.tasks).toEqual([]);
  });

  it('grants again what the ledger has lost', async () => {
    const purchase = await bought();
    dropBlock(purchase);
    await reconcile();
    await books.drain();
    expect(books.net(purchase)).toBe(20);
  });

  it('takes back what was refunded without a task', async () => {
    const purchase = await bought();
    await refundAll(purchase);
    await reconcile();
    await books.drain();
    expect(books.net(purchase)).toBe(0);
  });

  it('settles a purchase whose grant we do not know, once per run', async () => {
    const { id } = await bought();
    await books.tables.db.purchase.update({ where: { id }, data: { grantedAt: null } });
    await reconcile();
    expect(books.tasks).toEqual([{ name: 'settlePurchase', payload: { purchaseId: id } }]);
    await books.drain();
    await reconcile();
    expect(books.tasks).toEqual([]);
  });

  it.each(['asked', 'taken'] as const)('continues a refund that stopped as %s', async (state) => {
    const { id } = await bought();
    await insertRequest(books.tables.db, { purchaseId: id, reason: null, state }, new Date());
    await reconcile();
    await books.drain();
    const { state: end } = await books.tables.db.refundRequest.findUniqueOrThrow({
      where: { purchaseId: id },
    });
    expect([books.net({ id }), end]).toEqual([0, 'submitted']);
  });

  it('leaves purchases alone that changed a moment ago: their tasks are on the way', async () => {
    const purchase = await bought();
    dropBlock(purchase);
    await reconcile({ since: new Date(0), olderThanMs: MINUTE_MS });
    expect(books.tasks).toEqual([]);
    await books.tables.db.purchase.update({
      where: { id: purchase.id },
      data: { changedAt: new Date(Date.now() - 2 * MINUTE_MS) },
    });
    await reconcile({ since: new Date(0), olderThanMs: MINUTE_MS });
    expect(await books.drain()).toBe(1);
    expect(books.net(purchase)).toBe(20);
  });

  it('reads only purchases that changed since its time', async () => {
    const purchase = await bought();
    dropBlock(purchase);
    await books.tables.db.purchase.update({ where: { id: purchase.id }, data: { changedAt: new Date(0) } });
    await reconcile({ ...EVERY, since: new Date(Date.now() - DAY_MS) });
    expect(books.tasks).toEqual([]);
    await reconcile();
    await books.drain();
    expect(books.net(purchase)).toBe(20);
  });

  it('fails if the ledger is away, enqueues nothing, and finds the same the next time', async () => {
    const purchase = await bought();
    dropBlock(purchase);
    books.fail(['before']);
    await expect(reconcile()).rejects.toThrow();
    expect(books.tasks).toEqual([]);
    await reconcile();
    await books.drain();
    expect(books.net(purchase)).toBe(20);
  });
});

describe('a purchase that a restore has lost', () => {
  const range = { olderThanMs: 0, youngerThanMs: 8 * DAY_MS };
  const find = () => findLostPurchases(books.deps, range, books.context);
  const grantUnknown = (ageMs: number): void => {
    const [accountId, ref] = [randomUUID(), `purchase:${randomUUID()}`];
    const grantedAt = new Date(Date.now() - ageMs).toISOString();
    books.ledger.books().blocks.set(ref, { accountId, ref, amount: 20, net: 20, grantedAt });
  };
  beforeEach(() => books.ledger.books().blocks.clear());

  it('rewinds the list of the processor to an hour before the oldest of them', async () => {
    await saveUpTo(books.tables.db, new Date());
    for (const days of [3, 2, 1]) grantUnknown(days * DAY_MS);
    await find();
    const age = Date.now() - ((await readUpTo(books.tables.db))?.getTime() ?? 0);
    expect(Math.abs(age - 3 * DAY_MS - 60 * MINUTE_MS)).toBeLessThan(MINUTE_MS);
  });

  it('never moves the list forward, so that events would be left out', async () => {
    const upTo = new Date(Date.now() - 5 * DAY_MS);
    await saveUpTo(books.tables.db, upTo);
    grantUnknown(DAY_MS);
    await find();
    expect(await readUpTo(books.tables.db)).toEqual(upTo);
  });

  it('is none that is known here', async () => {
    const upTo = new Date();
    await saveUpTo(books.tables.db, upTo);
    await bought();
    await find();
    expect(await readUpTo(books.tables.db)).toEqual(upTo);
  });

  it('leaves the list at its beginning if it was never read', async () => {
    await books.tables.db.reconciliation.deleteMany();
    grantUnknown(DAY_MS);
    await find();
    expect(await readUpTo(books.tables.db)).toBeNull();
  });
});

describe('a purchase is recreated from its session', () => {
  const lost = (given: object = {}) =>
    ({ ...newPurchase(given), state: 'open' }) as never as Parameters<typeof sessionOf>[0];
  /** Applies its event while the processor has this session. */
  const recreate = async (purchase: ReturnType<typeof lost>, changed: object = {}) => {
    const { account_id = purchase.accountId } = changed as { account_id?: string };
    const metadata = {
      purchase_id: purchase.id,
      block: String(purchase.block),
      ...(account_id && { account_id }),
    };
    const session = sessionOf(purchase, { metadata, customer_email: purchase.email, ...changed }) as Session;
    const processor = { ...books.deps.processor, readSession: async () => session };
    const named = [{ purchaseId: purchase.id, session }];
    await recreatePurchases({ ...books.deps, processor }, named);
    return session;
  };

  it('of an account with all that was sold, and is granted by its event', async () => {
    const purchase = lost();
    await recreate(purchase);
    const { id, accountId, block, amount, currency } = purchase;
    expect(await books.tables.find(id)).toMatchObject({
      ...{ accountId, block, amount, currency, boughtBy: 'account', state: 'expired', sessionId: `cs_${id}` },
    });
    await books.apply(newEvent('checkout.session.completed', sessionOf(purchase)));
    await books.drain();
    expect(books.net(purchase)).toBe(20);
  });

  it('of a stranger with its address, and waits', async () => {
    const stranger = ofStranger();
    const purchase = lost(stranger);
    await recreate(purchase);
    expect(await books.tables.find(purchase.id)).toMatchObject({ ...stranger, state: 'expired' });
  });

  it('once, also if several events of it arrive at once', async () => {
    const purchase = lost();
    await Promise.all([1, 2, 3, 4].map(() => recreate(purchase)));
    expect(await books.tables.db.purchase.count({ where: { id: purchase.id } })).toBe(1);
  });

  it('not if it is known: a paid purchase stays as it is', async () => {
    const purchase = await bought();
    const before = await books.tables.find(purchase.id);
    await recreate(before as never, { amount_total: 1 });
    expect(await books.tables.find(purchase.id)).toEqual(before);
  });

  it.each<[string, object, string]>([
    ['without our metadata', { metadata: null }, 'payment_account_unknown'],
    [
      'of a block that was never sold',
      { metadata: { purchase_id: randomUUID(), block: '21' } },
      'payment_account_unknown',
    ],
    ['without an amount', { amount_total: null }, 'payment_account_unknown'],
    ['without a currency', { currency: null }, 'payment_account_unknown'],
    [
      'whose metadata names another purchase',
      { metadata: { purchase_id: randomUUID(), block: '20' } },
      'payment_session_mismatch',
    ],
  ])('not from a session %s', async (_what, changed, code) => {
    const purchase = lost();
    expect(await codeOf(recreate(purchase, changed))).toBe(code);
    expect(await books.tables.db.purchase.count({ where: { id: purchase.id } })).toBe(0);
  });

  it('not from a session of neither an account nor an address', async () => {
    const purchase = lost({ ...ofStranger(), email: null });
    expect(await codeOf(recreate(purchase))).toBe('payment_account_unknown');
  });

  it('not if the processor has no such session, although an event names it', async () => {
    const purchase = lost();
    const event = newEvent('checkout.session.completed', sessionOf(purchase));
    expect(await codeOf(books.apply(event))).toBe('payment_account_unknown');
    expect(await books.tables.db.paymentEvent.count({ where: { id: event.id } })).toBe(0);
  });

  it.each([null, undefined, '', '1', 'purchase'])('not from the reference %j', async (client_reference_id) => {
    expect(await codeOf((async () => purchaseIdOf({ client_reference_id } as Session))())).toBe(
      'payment_account_unknown',
    );
  });
});
