import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CREDIT_BLOCKS, type CreditBlock, billing as contract } from '@tds/contracts';
import { codeOf, eventually } from '@tds/test-kit';
import { creditPrices, startBilling, type TestBilling } from '../test-support/start-billing.ts';

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

describe('a block', () => {
  it('that is paid on its page is granted once, and makes its account a paid one', async () => {
    const { accountId, purchaseId, ref } = await billing.buy({ block: 50 });
    expect(billing.ledger.block(ref)).toMatchObject({ accountId, amount: 50, net: 50 });
    expect(await billing.find(accountId, purchaseId)).toMatchObject({
      ...{ block: 50, amount: 2_000, currency: 'usd', status: 'paid', credits_left: 50, refundable: true },
      ...{ receipt_url: expect.stringContaining('/receipt/'), person_id: accountId },
    });
    await eventually(() =>
      expect(billing.changes).toContainEqual(
        expect.objectContaining({ accountId, tier: 'paid', isDisputed: false }),
      ),
    );
  });

  it('is granted once although every event arrives ten times at once', async () => {
    billing.simulator.fault({ kind: 'repeat', copies: 9, times: 3 });
    const { accountId } = await billing.buy();
    await billing.simulator.whenIdle();
    expect(billing.ledger.books().account(accountId).purchased).toBe(20);
  });

  it('is never paid before it was opened, although the processor counts whole seconds', async () => {
    for (let count = 0; count < 5; count += 1) {
      const { accountId, purchaseId } = await billing.buy();
      const { created_at: createdAt, paid_at: paidAt } = await billing.find(accountId, purchaseId);
      expect(Date.parse(String(paidAt))).toBeGreaterThanOrEqual(Date.parse(createdAt));
    }
  });

  it('belongs to its buyer: other accounts neither see nor refund it', async () => {
    const { purchaseId } = await billing.buy();
    const stranger = randomUUID();
    expect(await billing.list(stranger)).toEqual([]);
    expect(await codeOf(billing.refund(stranger, purchaseId))).toBe('purchase_not_found');
    expect(await codeOf(billing.refund(stranger, randomUUID()))).toBe('purchase_not_found');
  });
});

describe('an account', () => {
  it('has one open page: of many concurrent requests one opens it, and later ones get its address', async () => {
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

  it('buys a second time only after it has used 100 credits, or returned the first purchase', async () => {
    const [user, other] = [await billing.buy(), await billing.buy()];
    for (const { accountId } of [user, other])
      expect(await codeOf(billing.open({ accountId }))).toBe('new_account_purchase_limit');
    billing.ledger.spend(user.accountId, 100);
    await billing.open(user);
    await billing.refund(other.accountId, other.purchaseId);
    await eventually(() => billing.open({ accountId: other.accountId }));
  });

  it('may start again at once if the processor failed, and after a page has expired', async () => {
    const accountId = randomUUID();
    billing.simulator.fault({ kind: 'error', match: '/checkout/sessions', times: 2 });
    expect(await codeOf(billing.open({ accountId }))).toBe('payment_request_failed');
    const { purchaseId } = await billing.open({ accountId });
    billing.simulator.expire(billing.sessionOf(purchaseId).id);
    await eventually(() => billing.open({ accountId }));
    expect((await billing.find(accountId, purchaseId)).status).toBe('expired');
  });
});

describe('an account that left its page', () => {
  it('requests another block, and the old page can no longer be paid', async () => {
    const accountId = randomUUID();
    const left = await billing.open({ accountId, block: 5 });
    const right = await billing.open({ accountId, block: 50 });
    expect(right).toMatchObject({ block: 50, amount: 2_000, currency: 'usd' });
    expect(() => billing.pay(left.purchaseId)).toThrow(/expired/);
    expect((await billing.find(accountId, left.purchaseId)).status).toBe('expired');
    billing.pay(right.purchaseId);
    expect((await billing.granted(right.purchaseId)).amount).toBe(50);
  });

  it('closes it at the processor with Cancel, once for all repeats, and may open the next one', async () => {
    const accountId = randomUUID();
    const { purchaseId } = await billing.open({ accountId });
    expect(await billing.cancel(purchaseId)).toEqual({ isClosed: true });
    expect(await billing.cancel(purchaseId)).toEqual({ isClosed: true });
    expect(() => billing.pay(purchaseId)).toThrow(/expired/);
    await billing.open({ accountId });
  });

  it('and paid it keeps the purchase: neither Cancel nor another block undoes it', async () => {
    const accountId = randomUUID();
    const { purchaseId } = await billing.open({ accountId });
    billing.simulator.fault({ kind: 'hold', times: 3 });
    billing.pay(purchaseId);
    expect(await billing.cancel(purchaseId)).toEqual({ isClosed: false });
    expect(await codeOf(billing.open({ accountId, block: 5 }))).toBe('purchase_in_progress');
    billing.simulator.release();
    await billing.granted(purchaseId);
    expect(await billing.cancel(purchaseId)).toEqual({ isClosed: false });
    expect(await billing.cancel(randomUUID())).toEqual({ isClosed: false });
  });
});

it('a network opens a limited number of pages an hour for strangers; accounts are counted separately', async () => {
  const crowded = await startBilling({ CHECKOUTS_PER_HOUR: '2' });
  const refused = { data: { code: 'rate_limit', retryAfterSeconds: expect.any(Number) } };
  const stranger = () => crowded.openFor(`${randomUUID()}@example.com`);
  try {
    for (const _ of [1, 2]) await stranger();
    await expect(stranger()).rejects.toMatchObject(refused);
    const accountId = randomUUID();
    for (const block of [5, 20] as const) await crowded.open({ accountId, block });
    await expect(crowded.open({ accountId, block: 50 })).rejects.toMatchObject(refused);
    await crowded.open();
  } finally {
    await crowded.stop();
  }
});

it('the listed prices are the prices of checkouts', async () => {
  const { currency, blocks } = await billing.call(contract.listPrices, {}, billing.context());
  expect(blocks.map(({ block }) => block)).toEqual([...CREDIT_BLOCKS]);
  for (const { block, amount } of blocks)
    expect(await billing.open({ block: block as CreditBlock })).toMatchObject({ block, amount, currency });
});

it('a block is not sold if the processor has another price', async () => {
  const dear = await startBilling({ CREDIT_PRICES: creditPrices({ 20: 901 }) });
  try {
    expect(await codeOf(dear.open())).toBe('configuration_error');
  } finally {
    await dear.stop();
  }
});
