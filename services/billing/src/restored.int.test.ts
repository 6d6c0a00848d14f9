import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyDatabase, eventually } from '@tds/test-kit';
import { startBilling, type TestBilling } from './test-support/start-billing.ts';

const MINUTE_MS = 61_000;
let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

const net = () => new Map([...billing.ledger.books().blocks].map(([ref, block]) => [ref, block.net] as const));
const reconcile = () =>
  billing.later(MINUTE_MS, async () => {
    const { schedules } = billing.handlers();
    await schedules.reconcileEvents(billing.context());
    await schedules.reconcilePurchases(billing.context());
  });
const settled = (expected: ReadonlyMap<string, number>) =>
  eventually(
    async () => {
      await reconcile();
      expect(net()).toEqual(expected);
    },
    { everyMs: 500 },
  );

/** Purchases: one that stays, one refunded, one disputed, one with a dispute won, one of another block. */
const trade = async (whenBought = () => {}) => {
  const [kept, refunded, disputed, won] = await Promise.all([
    billing.buy(),
    billing.buy(),
    billing.buy({ block: 5 }),
    billing.buy({ block: 1_000 }),
  ]);
  whenBought();
  await billing.refund(refunded.accountId, refunded.purchaseId);
  billing.simulator.dispute(disputed.paymentIntentId);
  const dispute = billing.simulator.dispute(won.paymentIntentId);
  await eventually(() => expect(billing.ledger.block(won.ref)?.net).toBe(0));
  billing.simulator.closeDispute(dispute.id, 'won');
  await eventually(() =>
    expect([kept, refunded, disputed, won].map(({ ref }) => billing.ledger.block(ref)?.net)).toEqual([
      20, 0, 0, 1_000,
    ]),
  );
  return { kept, refunded, disputed, won };
};

describe('all purchases are right again', () => {
  it('if the ledger has lost purchases with their refunds and disputes', async () => {
    const earlier = { books: billing.ledger.copy() };
    await trade(() => {
      earlier.books = billing.ledger.copy();
    });
    await billing.buy({ block: 50 });
    const before = net();
    billing.ledger.putBack(earlier.books);
    await settled(before);
  });

  it('if billing has lost purchases, refunds and disputes: the processor has them', async () => {
    const copy = await copyDatabase(billing.database);
    await eventually(() => billing.list('0199c3a0-0000-7000-8000-000000000001'));
    const { refunded, won } = await trade();
    const before = net();
    const refunds = billing.simulator.refunds().length;
    await copy.putBack();
    await eventually(
      async () => {
        await reconcile();
        expect(await billing.list(won.accountId)).toMatchObject([{ status: 'paid', credits_left: 1_000 }]);
        expect(await billing.list(refunded.accountId)).toMatchObject([{ status: 'refunded' }]);
      },
      { everyMs: 500 },
    );
    await settled(before);
    expect(billing.simulator.refunds()).toHaveLength(refunds);
    await copy.drop();
  });

  it('if the ledger knows a purchase that billing does not: the events of the processor from that time are read', async () => {
    const { ref, purchaseId, accountId } = await billing.buy();
    await billing.handlers().schedules.reconcileEvents(billing.context());
    const { db } = billing.kit();
    await db.query('DELETE FROM purchases WHERE id = $1', [purchaseId]);
    await db.query('DELETE FROM payment_events');
    await db.query(`UPDATE reconciliation SET up_to = now() + interval '1 hour'`);
    await eventually(
      async () => {
        await reconcile();
        expect(await billing.list(accountId)).toMatchObject([{ id: purchaseId, status: 'paid' }]);
      },
      { everyMs: 500 },
    );
    expect(billing.ledger.block(ref)?.net).toBe(20);
  });
});

describe('refills of a restored database of billing', () => {
  const withCard = async (chosen = {}) => {
    const accountId = billing.refills.account();
    await billing.refills.setUp(accountId, chosen);
    return accountId;
  };
  const succeeded = (accountId: string) =>
    billing.refills.intentsOf(accountId).filter(({ status }) => status === 'succeeded');

  it('that the processor has been paid for are known again before anything else is charged', async () => {
    const accountId = await withCard({ monthlyLimit: 1_800 });
    const copy = await copyDatabase(billing.database);
    await eventually(() => billing.refills.show(accountId));
    await billing.refills.bought(accountId, 20);
    billing.ledger.spend(accountId, 20);
    billing.simulator.fault({ kind: 'lose', times: 100 });
    await copy.putBack();
    await eventually(async () =>
      expect(await billing.refills.show(accountId)).toMatchObject({ used_this_month: 0 }),
    );
    await eventually(async () => {
      await billing.refills.look();
      expect((await billing.refills.show(accountId)).used_this_month).toBe(1_800);
    });
    await billing.refills.looks();
    billing.ledger.spend(accountId, 20);
    await billing.refills.looks();
    expect(succeeded(accountId)).toHaveLength(2);
    expect(await billing.refills.purchasesOf(accountId)).toMatchObject([
      { status: 'paid' },
      { status: 'paid' },
    ]);
    billing.simulator.clearFaults();
    await copy.drop();
  });

  it('that a person has turned off or changed since charge nothing until a person acts', async () => {
    const [off, lowered] = [await withCard(), await withCard()];
    const copy = await copyDatabase(billing.database);
    await eventually(() => billing.refills.show(off));
    await billing.refills.end(off);
    await billing.refills.put(lowered, { block: 5, threshold: 5, monthlyLimit: 250 });
    await eventually(() => expect(billing.heardRefills.filter(isOf(off)).at(-1)?.threshold).toBeNull());
    await eventually(() => expect(billing.heardRefills.filter(isOf(lowered)).at(-1)?.threshold).toBe(5));
    const before = succeeded(lowered).length;
    billing.ledger.spend(lowered, billing.ledger.books().account(lowered).purchased);
    await copy.putBack();
    await eventually(async () => {
      await billing.refills.look();
      for (const accountId of [off, lowered])
        expect(await billing.refills.show(accountId)).toMatchObject({ status: 'paused', reason: 'restored' });
    });
    await billing.refills.looks();
    expect([succeeded(off), succeeded(lowered).length]).toEqual([[], before]);
    await copy.drop();
  });

  it('under way at the time of the copy, and paid since, are not charged again', async () => {
    const accountId = await withCard();
    billing.simulator.fault({ kind: 'error', match: 'POST /v1/payment_intents', times: 2 });
    await billing.refills.look();
    await eventually(async () => expect((await billing.refills.show(accountId)).used_this_month).toBe(900));
    const copy = await copyDatabase(billing.database);
    billing.simulator.clearFaults();
    await eventually(() => billing.refills.show(accountId));
    await billing.refills.bought(accountId, 20);
    await copy.putBack();
    await eventually(() => billing.refills.show(accountId));
    // The processor has forgotten the key of the first charge.
    billing.simulator.forgetKeys();
    await eventually(async () => {
      await billing.refills.look();
      expect(await billing.refills.purchasesOf(accountId)).toMatchObject([{ status: 'paid' }]);
    });
    expect(succeeded(accountId)).toHaveLength(1);
    await copy.drop();
  });
});

const isOf = (id: string) => (refill: { readonly accountId: string }) => refill.accountId === id;
