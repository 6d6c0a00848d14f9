import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, copyDatabase, eventually } from '@tds/test-kit';
import { startBilling, type TestBilling } from '../test-support/start-billing.ts';

const DAYS_91_MS = 91 * 86_400_000;

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

const net = (ref: string) => billing.ledger.block(ref)?.net;
const changesOf = (accountId: string) => billing.changes.filter((one) => one.accountId === accountId);
const listCustomers = async (accountId: string) =>
  (await billing.kit().db.query('SELECT processor_id FROM customers WHERE account_id = $1', [accountId])).rows;
const listRefunds = (paymentIntentId: string) =>
  billing.simulator.refunds().filter(({ payment_intent: intent }) => intent === paymentIntentId);
/** Waits until all consequences are done. */
const atRest = () =>
  eventually(async () => {
    await billing.simulator.whenIdle();
    const { rows } = await billing.kit().db.query(`SELECT name FROM messaging.tasks WHERE state = 'ready'`);
    expect(rows).toEqual([]);
  });

describe('a purchase of a stranger for an address', () => {
  it('waits: until it is accepted, the account has no credits, tier or customer for it, and may buy for itself', async () => {
    const accountId = randomUUID();
    const { purchaseId, ref } = await billing.give(accountId);
    await atRest();
    expect(await billing.find(accountId, purchaseId)).toMatchObject({
      ...{ status: 'waiting', bought_by: 'stranger', credits_left: 0, refundable: false, receipt_url: null },
    });
    expect([net(ref), changesOf(accountId), await listCustomers(accountId)]).toEqual([undefined, [], []]);
    const own = await billing.buy({ accountId });
    expect(net(own.ref)).toBe(20);
  });

  it('that is disputed or refunded before its acceptance changes nothing at the account', async () => {
    for (const moves of [billing.simulator.dispute, billing.simulator.refund]) {
      const own = await billing.buy();
      await eventually(() => expect(changesOf(own.accountId)).toHaveLength(1));
      const { purchaseId, paymentIntentId, ref } = await billing.give(own.accountId);
      moves(paymentIntentId);
      await eventually(async () =>
        expect((await billing.find(own.accountId, purchaseId)).status).toMatch(/disputed|refunded/),
      );
      await atRest();
      expect([net(ref), net(own.ref), changesOf(own.accountId).length]).toEqual([undefined, 20, 1]);
      expect(await codeOf(billing.accept(own.accountId, purchaseId))).toBe('purchase_withdrawn');
    }
  });

  it('is granted once when its owner accepts it, however often, and gives neither tier nor customer', async () => {
    const accountId = randomUUID();
    const { purchaseId, ref } = await billing.give(accountId, 50);
    const answers = await Promise.all(Array.from({ length: 4 }, () => billing.accept(accountId, purchaseId)));
    expect(new Set(answers.map(({ id }) => id))).toEqual(new Set([purchaseId]));
    await billing.granted(purchaseId);
    await eventually(async () =>
      expect(await billing.find(accountId, purchaseId)).toMatchObject({ status: 'paid', credits_left: 50 }),
    );
    expect(await billing.accept(accountId, purchaseId)).toMatchObject({ status: 'paid' });
    expect(billing.ledger.books().account(accountId).purchased).toBe(50);
    await atRest();
    expect([net(ref), changesOf(accountId), await listCustomers(accountId)]).toEqual([50, [], []]);
  });

  it('that is disputed after its acceptance takes back that block, into debt, and nothing else', async () => {
    const accountId = randomUUID();
    const { purchaseId, paymentIntentId, ref } = await billing.give(accountId);
    await billing.accept(accountId, purchaseId);
    await billing.granted(purchaseId);
    billing.ledger.spend(accountId, 15);
    const dispute = billing.simulator.dispute(paymentIntentId);
    await eventually(() => expect(net(ref)).toBe(0));
    await atRest();
    expect(changesOf(accountId)).toEqual([]);
    billing.simulator.closeDispute(dispute.id, 'won');
    await eventually(() => expect(net(ref)).toBe(20));
    expect(changesOf(accountId)).toEqual([]);
  });

  it('is hidden from other accounts, who cannot accept it; an unpaid one cannot be accepted', async () => {
    const [accountId, other] = [randomUUID(), randomUUID()];
    const { purchaseId } = await billing.give(accountId);
    const unpaid = await billing.openFor(billing.identity.emailOf(accountId));
    expect(await billing.list(other)).toEqual([]);
    expect((await billing.list(accountId)).map(({ id }) => id)).toEqual([purchaseId]);
    for (const [who, id] of [
      [other, purchaseId],
      [accountId, unpaid.purchaseId],
      [accountId, randomUUID()],
    ] as const)
      expect(await codeOf(billing.accept(who, id))).toBe('purchase_not_found');
  });

  it('is refunded after ninety days, and at once if the account of the address is closed', async () => {
    const { purchaseId, paymentIntentId, accountId } = await billing.give(randomUUID());
    await billing.handlers().schedules.returnUnaccepted(billing.context());
    expect(listRefunds(paymentIntentId)).toEqual([]);
    await billing.later(DAYS_91_MS, () => billing.handlers().schedules.returnUnaccepted(billing.context()));
    await eventually(() => expect(listRefunds(paymentIntentId)).toMatchObject([{ amount: 900 }]));
    expect(await codeOf(billing.accept(accountId, purchaseId))).toBe('purchase_withdrawn');

    const email = `${randomUUID()}@example.com`;
    billing.identity.accounts.set(email, { accountId: randomUUID(), isClosed: true });
    const closed = billing.pay((await billing.openFor(email)).purchaseId);
    await eventually(() => expect(listRefunds(closed)).toMatchObject([{ amount: 900 }]));
  });

  it('stays accepted if billing lost the acceptance: the ledger knows the owner of the block', async () => {
    const accountId = randomUUID();
    const { purchaseId, ref } = await billing.give(accountId);
    await atRest();
    const copy = await copyDatabase(billing.database);
    await eventually(() => billing.list(accountId));
    await billing.accept(accountId, purchaseId);
    await billing.granted(purchaseId);
    await atRest();
    await copy.putBack();
    await eventually(
      async () => {
        await billing.later(61_000, () => billing.handlers().schedules.reconcilePurchases(billing.context()));
        expect(await billing.find(accountId, purchaseId)).toMatchObject({ status: 'paid', credits_left: 20 });
      },
      { everyMs: 500 },
    );
    expect(net(ref)).toBe(20);
    await copy.drop();
  });
});

describe('the limit of new accounts', () => {
  it('applies to accepted purchases, so a payment for the own address does not bypass it', async () => {
    const accountId = randomUUID();
    const [first, second] = [await billing.give(accountId), await billing.give(accountId)];
    const answers = await Promise.all(
      [first, second].map(({ purchaseId }) => codeOf(billing.accept(accountId, purchaseId))),
    );
    expect(answers.toSorted()).toEqual(['answered', 'new_account_purchase_limit']);
    expect(await codeOf(billing.open({ accountId }))).toBe('new_account_purchase_limit');
    billing.ledger.spend(accountId, 100);
    for (const { purchaseId } of [first, second]) await billing.accept(accountId, purchaseId);
    await Promise.all([first, second].map(({ purchaseId }) => billing.granted(purchaseId)));
  });

  it('applies when the payment arrives: purchases above it are refunded at once, and never granted', async () => {
    const accountId = randomUUID();
    const own = await billing.open({ accountId });
    const { purchaseId } = await billing.give(accountId);
    await billing.accept(accountId, purchaseId);
    await billing.granted(purchaseId);
    const paymentIntentId = billing.pay(own.purchaseId);
    await eventually(() => expect(listRefunds(paymentIntentId)).toMatchObject([{ amount: 900 }]));
    await eventually(async () =>
      expect(await billing.find(accountId, own.purchaseId)).toMatchObject({
        status: 'refunded',
        credits_left: 0,
      }),
    );
    expect(billing.ledger.books().account(accountId).purchased).toBe(20);
  });
});

describe('a checkout for an address', () => {
  it('has the same answer whether or not the address has an account', async () => {
    const known = `${randomUUID()}@example.com`;
    billing.identity.accounts.set(known, { accountId: randomUUID(), isClosed: false });
    for (const email of [` ${known.toUpperCase()}`, `${randomUUID()}@example.com`])
      expect(await billing.openFor(email)).toMatchObject({ isReplayed: false, block: 20, amount: 900 });
  });

  it('is accepted with two open pages, since a rejection would reveal an account', async () => {
    const email = `${randomUUID()}@example.com`;
    await billing.openFor(email);
    await billing.openFor(email);
  });

  it('that cannot receive mail is rejected before money moves', async () => {
    expect(await codeOf(billing.openFor('no-address'))).toBe('invalid_email');
    const pages = billing.simulator.sessions().length;
    expect(await codeOf(billing.openFor('x@mailinator.com'))).toBe('disposable_email');
    expect(billing.simulator.sessions()).toHaveLength(pages);
  });
});

it('a portal shows the customer of the account, even if a stranger paid for it first', async () => {
  const accountId = randomUUID();
  const { purchaseId } = await billing.give(accountId);
  await billing.accept(accountId, purchaseId);
  await billing.granted(purchaseId);
  billing.ledger.spend(accountId, 100);
  const own = await billing.open({ accountId });
  const customer = billing.sessionOf(own.purchaseId).customer;
  expect(await listCustomers(accountId)).toEqual([{ processor_id: customer }]);
  expect(billing.sessionOf(purchaseId).customer).not.toBe(customer);
});
