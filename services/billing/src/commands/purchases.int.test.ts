import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { purchaseRef } from '@tds/contracts';
import { codeOf, eventually } from '@tds/test-kit';
import { startBilling, type TestBilling } from '../test-support/start-billing.ts';

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

describe('a block', () => {
  it('that is paid on the page is granted once, and makes its account a paid one', async () => {
    const { accountId, purchaseId, ref } = await billing.buy({ block: 50 });
    expect(billing.ledger.block(ref)).toMatchObject({ accountId, amount: 50, standing: 50 });
    expect(await billing.find(accountId, purchaseId)).toMatchObject({
      ...{ block: 50, amount: 2_000, currency: 'usd', status: 'paid', creditsLeft: 50, isRefundable: true },
      receiptUrl: expect.stringContaining('/receipt/'),
    });
    await eventually(() =>
      expect(billing.changes).toContainEqual(
        expect.objectContaining({ accountId, tier: 'paid', isDisputed: false }),
      ),
    );
  });

  it('is granted once although every event comes ten times, all at once', async () => {
    billing.simulator.fault({ kind: 'repeat', copies: 9, times: 3 });
    const { accountId } = await billing.buy();
    await billing.simulator.settled();
    expect(billing.ledger.books().account(accountId).purchased).toBe(20);
  });

  it('belongs to whoever bought it: others neither see nor refund it', async () => {
    const { purchaseId } = await billing.buy();
    const stranger = randomUUID();
    expect(await billing.list(stranger)).toEqual([]);
    expect(await codeOf(billing.refund(stranger, purchaseId))).toBe('purchase_not_found');
    expect(await codeOf(billing.refund(stranger, randomUUID()))).toBe('purchase_not_found');
  });
});

describe('an account', () => {
  it('has one page open at a time: of many that ask at once one is given it, and whoever asks later is told where it is', async () => {
    const accountId = randomUUID();
    const answers = await Promise.all(Array.from({ length: 6 }, () => codeOf(billing.open({ accountId }))));
    expect(answers.toSorted()).toEqual(['answered', ...Array(5).fill('purchase_in_progress')]);
    const [opened] = billing.simulator.sessions().slice(-1);
    await expect(billing.open({ accountId })).rejects.toMatchObject({
      data: {
        code: 'purchase_in_progress',
        retryAfterSeconds: expect.any(Number),
        extras: { checkout_url: opened?.url },
      },
    });
  });

  it('buys a second time only once it has used 100 credits, or has given the first back', async () => {
    const [user, other] = [await billing.buy(), await billing.buy()];
    for (const { accountId } of [user, other])
      expect(await codeOf(billing.open({ accountId }))).toBe('new_account_purchase_limit');
    billing.ledger.spend(user.accountId, 100);
    await billing.open(user);
    await billing.refund(other.accountId, other.purchaseId);
    await eventually(() => billing.open({ accountId: other.accountId }));
  });

  it('may begin anew at once where the processor failed, and once a page has expired', async () => {
    const accountId = randomUUID();
    billing.simulator.fault({ kind: 'error', match: '/checkout/sessions', times: 2 });
    expect(await codeOf(billing.open({ accountId }))).toBe('payment_request_failed');
    const { purchaseId } = await billing.open({ accountId });
    billing.simulator.expire(billing.sessionOf(purchaseId).id);
    await eventually(() => billing.open({ accountId }));
    expect((await billing.find(accountId, purchaseId)).status).toBe('expired');
  });
});

describe('a request with an Idempotency-Key', () => {
  const idempotencyKey = 'order 7';

  it('opens one page however often it is sent, also after that was paid, and another one for another account', async () => {
    const accountId = randomUUID();
    const first = await billing.open({ accountId, idempotencyKey });
    const repeat = { ...first, isReplayed: true };
    expect(first.isReplayed).toBe(false);
    expect(await billing.open({ accountId, idempotencyKey, block: 5 })).toEqual(repeat);
    billing.pay(first.purchaseId);
    await billing.granted(first.purchaseId);
    expect(await billing.open({ accountId, idempotencyKey })).toEqual(repeat);
    expect(await billing.list(accountId)).toHaveLength(1);
    const other = await billing.open({ idempotencyKey });
    expect(other.purchaseId).not.toBe(first.purchaseId);
  });

  it('opens one page where several are sent at the same time, for an account and for an address', async () => {
    const accountId = randomUUID();
    const email = `${randomUUID()}@example.com`;
    for (const open of [
      () => billing.open({ accountId, idempotencyKey }),
      () => billing.openFor(email, idempotencyKey),
    ]) {
      const settled = await Promise.allSettled(Array.from({ length: 5 }, open));
      const refused = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []));
      expect(new Set(refused).difference(new Set(['purchase_in_progress']))).toEqual(new Set());
      const opened = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value.purchaseId] : []));
      expect(new Set([...opened, (await open()).purchaseId]).size).toBe(1);
    }
  });

  it('may be sent again where the processor failed: nothing was begun', async () => {
    const accountId = randomUUID();
    billing.simulator.fault({ kind: 'error', match: '/checkout/sessions', times: 2 });
    expect(await codeOf(billing.open({ accountId, idempotencyKey }))).toBe('payment_request_failed');
    expect(await billing.open({ accountId, idempotencyKey })).toMatchObject({ isReplayed: false });
  });
});

describe('a buyer by address', () => {
  it('is answered the same whether or not the address has an account, and gets the credits into it', async () => {
    const [known, unknown] = [randomUUID(), randomUUID()];
    billing.identity.accounts.set('known@example.com', { accountId: known, isClosed: false });
    const answers = [
      await billing.openFor(' Known@Example.com'),
      await billing.openFor(`${unknown}@example.com`),
    ];
    for (const { purchaseId } of answers) billing.pay(purchaseId);
    for (const { purchaseId } of answers) await billing.granted(purchaseId);
    expect(billing.ledger.block(purchaseRef(answers[0]?.purchaseId ?? ''))?.accountId).toBe(known);
    const opened = billing.identity.accounts.get(`${unknown}@example.com`)?.accountId;
    expect(billing.ledger.block(purchaseRef(answers[1]?.purchaseId ?? ''))?.accountId).toBe(opened);
  });

  it('with two pages open is refused neither, which would tell of an account', async () => {
    const email = `${randomUUID()}@example.com`;
    await billing.openFor(email);
    await billing.openFor(email);
    expect(await codeOf(billing.openFor('nobody'))).toBe('invalid_email');
  });

  it('gets the money back where the account is closed', async () => {
    const accountId = randomUUID();
    billing.ledger.close(accountId);
    const { purchaseId } = await billing.open({ accountId });
    const paid = billing.pay(purchaseId);
    await eventually(() =>
      expect(billing.simulator.refunds()).toContainEqual(
        expect.objectContaining({ payment_intent: paid, amount: 900 }),
      ),
    );
    expect(billing.ledger.block(purchaseRef(purchaseId))).toBeUndefined();
    await eventually(async () => expect((await billing.find(accountId, purchaseId)).status).toBe('refunded'));
  });
});

it('a network opens only so many pages an hour, and is told when it may again', async () => {
  const crowded = await startBilling({ CHECKOUTS_PER_NETWORK_PER_HOUR: '2' });
  try {
    for (const _ of [1, 2]) await crowded.open();
    await expect(crowded.open()).rejects.toMatchObject({
      data: { code: 'rate_limit', retryAfterSeconds: expect.any(Number) },
    });
    await crowded.open({}, '198.51.100.7');
  } finally {
    await crowded.stop();
  }
});

it('nothing is sold at a price that the processor does not have', async () => {
  const dear = await startBilling({ CREDIT_PRICES: '5:250,20:901,50:2000,200:7000,1000:30000' });
  try {
    expect(await codeOf(dear.open())).toBe('configuration_error');
  } finally {
    await dear.stop();
  }
});
