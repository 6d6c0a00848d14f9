import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { insertRequest, markTaken, saveDispute, saveRefund } from '../store/money.ts';
import { type Books, type CallFault, newEvent, sessionOf, startBooks } from '../test-support/start-books.ts';
import { ofStranger } from '../test-support/stored-purchases.ts';
import { enqueueSettling, refundPurchase } from './settling.ts';

let books: Books;
beforeAll(async () => {
  books = await startBooks();
});
beforeEach(() => books.fail([]));
afterAll(() => books.stop());

const pay = async (given: Parameters<Books['tables']['insert']>[0] = {}) => {
  const purchase = await books.tables.insert(given);
  await books.apply(newEvent('checkout.session.completed', sessionOf(purchase)));
  return { ...purchase, paymentIntentId: `pi_${purchase.id}` };
};
const bought = async (given: Parameters<typeof pay>[0] = {}) => {
  const purchase = await pay(given);
  await books.drain();
  return { ...purchase, accountId: purchase.accountId as string };
};
const settle = async (id: string): Promise<number> => {
  const { messaging, db } = books.deps;
  await messaging.transaction(db, (_tx, send) => enqueueSettling(send, id));
  return books.drain();
};
const readRequest = (purchaseId: string) => books.tables.db.refundRequest.findUnique({ where: { purchaseId } });
const purchasedBy = (accountId: string) => books.ledger.books().account(accountId).purchased;
const money = (paymentIntentId: string, amount: number) => ({
  ...{ id: randomUUID(), paymentIntentId, amount, currency: 'usd' },
});
/** The refunds that the processor has made of a request. */
const listRefunds = async (purchaseId: string) => {
  const request = await readRequest(purchaseId);
  return books.refunds.has(request?.id ?? '') ? 1 : 0;
};

describe('settling a purchase', () => {
  it('again and again changes nothing', async () => {
    const purchase = await bought();
    const before = await books.tables.find(purchase.id);
    const emitted = books.emitted.length;
    for (let times = 0; times < 3; times += 1) await settle(purchase.id);
    expect(await books.tables.find(purchase.id)).toEqual(before);
    expect([books.net(purchase), books.emitted.length]).toEqual([20, emitted]);
  });

  it('grants a block that the ledger has lost, with its worth of today', async () => {
    const purchase = await bought();
    books.ledger.books().blocks.clear();
    await saveRefund(books.tables.db, { ...money(purchase.paymentIntentId, 450), status: 'succeeded' });
    await settle(purchase.id);
    expect(books.net(purchase)).toBe(10);
  });

  it('takes what was spent already into debt, and pays it when the dispute is won', async () => {
    const purchase = await bought();
    books.ledger.spend(purchase.accountId, 15);
    const dispute = money(purchase.paymentIntentId, 900);
    await saveDispute(books.tables.db, { ...dispute, status: 'open' });
    await settle(purchase.id);
    expect(books.ledger.books().account(purchase.accountId)).toMatchObject({ purchased: 0, debt: 15 });
    await saveDispute(books.tables.db, { ...dispute, status: 'won' });
    await settle(purchase.id);
    expect(books.ledger.books().account(purchase.accountId)).toMatchObject({ purchased: 5, debt: 0 });
  });

  it('never grants an unpaid page, or a purchase that does not exist', async () => {
    const open = await books.tables.insert();
    for (const id of [open.id, randomUUID()]) expect(await settle(id)).toBe(1);
    expect([books.net(open), (await books.tables.find(open.id)).grantedAt]).toEqual([0, null]);
  });
});

describe('a purchase above the limit of new accounts', () => {
  const second = async (accountId: string) => bought({ accountId });

  it('gives its money back once, and its account never has its credits', async () => {
    const { accountId } = await bought();
    const { id } = await second(accountId);
    expect([purchasedBy(accountId), await listRefunds(id)]).toEqual([20, 1]);
    expect((await readRequest(id))?.state).toBe('submitted');
    expect((await books.tables.find(id)).admittedAt).toBeNull();
  });

  it('is granted if the account has spent enough meanwhile', async () => {
    const { accountId } = await bought();
    books.ledger.spend(accountId, 100);
    const { id } = await second(accountId);
    expect([books.net({ id }), await readRequest(id)]).toEqual([20, null]);
  });

  it('is granted if the processor rejects its refund: the buyer has either the money or the credits', async () => {
    const { accountId } = await bought();
    const page = await books.tables.insert({ accountId });
    books.rejected.add(`pi_${page.id}`);
    await books.apply(newEvent('checkout.session.completed', sessionOf(page)));
    await books.drain();
    expect([books.net(page), (await readRequest(page.id))?.state]).toEqual([20, 'refused']);
  });

  it('leaves one purchase of several that were paid at the same time, in money and in credits', async () => {
    const accountId = randomUUID();
    const pages = await Promise.all(
      [1, 2, 3, 4].map(() => books.tables.insert({ accountId, state: 'expired' })),
    );
    await Promise.all(
      pages.map((page) => books.apply(newEvent('checkout.session.completed', sessionOf(page)))),
    );
    await books.drain();
    const refunds = await Promise.all(pages.map(({ id }) => listRefunds(id)));
    expect([purchasedBy(accountId), refunds.toSorted()]).toEqual([20, [0, 1, 1, 1]]);
  });
});

describe('a purchase of a closed account', () => {
  it('gives its money back, and is not granted', async () => {
    const accountId = randomUUID();
    books.ledger.close(accountId);
    const { id } = await bought({ accountId });
    await settle(id);
    expect([books.net({ id }), await listRefunds(id), (await readRequest(id))?.reason]).toEqual([
      0,
      1,
      'The account is closed.',
    ]);
  });

  it('that was granted before the account was closed keeps its money, if the ledger has lost the block', async () => {
    const { id, accountId } = await bought();
    books.ledger.books().blocks.clear();
    books.ledger.close(accountId);
    await settle(id);
    expect(await readRequest(id)).toBeNull();
  });
});

describe('a purchase of a stranger', () => {
  it('waits without a request and without credits, however often it is settled', async () => {
    const { id } = await pay(ofStranger());
    await books.drain();
    await settle(id);
    expect([books.net({ id }), await readRequest(id)]).toEqual([0, null]);
    expect((await books.tables.find(id)).accountId).toBeNull();
  });

  it('for a closed account gives its money back once, for any number of tasks', async () => {
    const stranger = ofStranger();
    books.identity.accounts.set(stranger.email, { accountId: randomUUID(), isClosed: true });
    const { id } = await pay(stranger);
    for (let times = 0; times < 3; times += 1) await settle(id);
    expect([await listRefunds(id), (await readRequest(id))?.state]).toEqual([1, 'submitted']);
  });

  it('that is admitted meanwhile is not refunded', async () => {
    const { id } = await pay(ofStranger());
    await books.drain();
    const admitted = { accountId: randomUUID(), admittedAt: new Date() };
    await books.tables.db.purchase.update({ where: { id }, data: admitted });
    await refundPurchase(books.deps, id, 'It was not accepted.');
    expect(await readRequest(id)).toBeNull();
  });

  it('belongs again to the account whose block the ledger has, if its acceptance was lost', async () => {
    const { id } = await bought(ofStranger());
    const accountId = randomUUID();
    await books.ledger.commands.grantPurchases(
      { purchases: [{ accountId, ref: `purchase:${id}`, amount: 20 }] },
      {} as never,
    );
    await settle(id);
    const { grantedAt, accountId: owner } = await books.tables.find(id);
    expect([owner, grantedAt !== null, purchasedBy(accountId)]).toEqual([accountId, true, 20]);
  });
});

describe('a refund that was requested', () => {
  const requested = async () => {
    const purchase = await bought();
    await insertRequest(books.tables.db, { purchaseId: purchase.id, reason: null, state: 'asked' }, new Date());
    return purchase;
  };

  const places = [0, 1, 2, 3, 4, 5];
  const faults = (['before', 'after'] as const).flatMap((fault) =>
    places.map((place) => [fault, place] as const),
  );
  it.each(faults)(
    'moves its money once and ends without credits, if a call fails %s it acts, at place %d',
    async (fault, place) => {
      const purchase = await requested();
      const calls = Array.from({ length: place }, (): CallFault => 'none');
      books.fail([...calls, fault, fault]);
      await settle(purchase.id);
      expect([books.net(purchase), await listRefunds(purchase.id)]).toEqual([0, 1]);
      expect((await readRequest(purchase.id))?.state).toBe('submitted');
      expect(purchasedBy(purchase.accountId)).toBe(0);
    },
  );

  it('returns the block and moves no money if the processor rejects it, once', async () => {
    const purchase = await requested();
    books.rejected.add(purchase.paymentIntentId);
    await settle(purchase.id);
    await settle(purchase.id);
    expect([books.net(purchase), await listRefunds(purchase.id)]).toEqual([20, 0]);
    expect((await readRequest(purchase.id))?.state).toBe('refused');
  });

  it('is deleted if a credit of the block was spent in between, and nothing is taken', async () => {
    const purchase = await requested();
    books.ledger.spend(purchase.accountId, 1);
    await settle(purchase.id);
    expect([books.net(purchase), await readRequest(purchase.id)]).toEqual([20, null]);
  });

  it('and disputed at once leaves no credits, and they come back only if both are reversed', async () => {
    const purchase = await requested();
    await markTaken(books.tables.db, purchase.id);
    const dispute = money(purchase.paymentIntentId, 900);
    await saveDispute(books.tables.db, { ...dispute, status: 'open' });
    books.rejected.add(purchase.paymentIntentId);
    await settle(purchase.id);
    expect(books.net(purchase)).toBe(0);
    await saveDispute(books.tables.db, { ...dispute, status: 'won' });
    await settle(purchase.id);
    expect(books.net(purchase)).toBe(20);
  });
});
