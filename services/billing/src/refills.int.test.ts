import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, dueRows, eventually } from '@tds/test-kit';
import { startBilling, type TestBilling } from './test-support/start-billing.ts';

const WITHIN = { everyMs: 250 };
const HOUR_MS = 3_600_000;

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterEach(() => billing.simulator.clearFaults());
afterAll(() => billing?.stop());
const refills = () => billing.refills;

describe('a refill', () => {
  it('is off by default, needs a card, then buys one block below its threshold, and says what is left of the month', async () => {
    const accountId = refills().account();
    expect(await refills().show(accountId)).toMatchObject({ status: 'off', reason: null, block: null });
    expect(await refills().put(accountId)).toMatchObject({ status: 'card_missing', amount: 900 });
    await refills().looks();
    expect(refills().intentsOf(accountId)).toEqual([]);
    billing.simulator.setUpCard(await refills().openPage(accountId));
    await refills().becomes(accountId, 'on');
    await refills().bought(accountId, 20);
    // The ledger has the credits before the purchase says so.
    await eventually(async () =>
      expect(await refills().purchasesOf(accountId)).toEqual([{ block: 20, status: 'paid', automatic: true }]),
    );
    await refills().looks();
    expect(refills().intentsOf(accountId)).toHaveLength(1);
    expect(await refills().show(accountId)).toMatchObject({ used_this_month: 900, monthly_limit: 2_000 });
    await eventually(() =>
      expect(billing.refilled.filter((refill) => refill.accountId === accountId)).toEqual([
        expect.objectContaining({ block: 20, amount: 900, currency: 'usd', left: 1_100 }),
      ]),
    );
  });

  it('buys until the month has no money for another block, and again in the next one', async () => {
    const accountId = refills().account();
    await refills().setUp(accountId);
    for (const _ of [1, 2]) {
      await refills().bought(accountId, 20);
      billing.ledger.spend(accountId, 20);
    }
    await refills().looks();
    expect(refills().intentsOf(accountId)).toHaveLength(2);
    const { db } = billing.kit();
    await db.query(`UPDATE purchases SET created_at = created_at - interval '32 days' WHERE account_id = $1`, [
      accountId,
    ]);
    expect((await refills().show(accountId)).used_this_month).toBe(0);
    await refills().bought(accountId, 20);
    expect(refills().intentsOf(accountId)).toHaveLength(3);
  });

  it('counts one under way against the month, and begins no second one, however often it is looked at', async () => {
    const accountId = refills().account();
    await refills().setUp(accountId, { monthlyLimit: 1_000_000 });
    billing.simulator.fault({ kind: 'error', match: 'POST /v1/payment_intents', times: 2 });
    await Promise.all([1, 2, 3, 4].map(() => refills().look()));
    await eventually(async () =>
      expect(await refills().show(accountId)).toMatchObject({ used_this_month: 900 }),
    );
    await refills().bought(accountId, 20);
    await refills().looks();
    expect(refills().intentsOf(accountId)).toHaveLength(1);
    expect(await refills().purchasesOf(accountId)).toHaveLength(1);
  });

  it('of a new account buys once, and again only after its deliveries have cost 100 credits', async () => {
    const accountId = randomUUID();
    await refills().setUp(accountId);
    await refills().bought(accountId, 20);
    billing.ledger.spend(accountId, 20);
    await refills().looks();
    expect(refills().intentsOf(accountId)).toHaveLength(1);
    refills().season(accountId);
    await refills().bought(accountId, 20);
  });
});

describe('an unknown answer of the processor', () => {
  it.each(['error', 'unanswered'] as const)(
    'charges the card once, if the answer is %s and the event is lost',
    async (kind) => {
      const accountId = refills().account();
      await refills().setUp(accountId);
      billing.simulator.fault({ kind, match: 'POST /v1/payment_intents', times: 2 });
      billing.simulator.fault({ kind: 'lose', match: 'payment_intent', times: 1 });
      await refills().bought(accountId, 20);
      await refills().looks();
      expect(refills().intentsOf(accountId)).toHaveLength(1);
      expect(billing.refilled.filter((refill) => refill.accountId === accountId)).toHaveLength(1);
    },
  );

  it('for longer than its key is kept there charges nothing more, and waits for a person', async () => {
    const accountId = refills().account();
    await refills().setUp(accountId);
    billing.simulator.fault({ kind: 'error', match: 'POST /v1/payment_intents', times: 1_000 });
    await refills().look();
    await eventually(async () => expect((await refills().show(accountId)).used_this_month).toBe(900));
    const rows = dueRows('billing', (text, values) => billing.kit().db.query(text, values));
    await billing.later(24 * HOUR_MS, async () => {
      await eventually(async () => {
        await rows.makeDue('messaging.tasks', { where: "name = 'charge-refill' AND state <> 'done'" });
        await refills().look();
        await refills().becomes(accountId, 'paused', 'processor_failed');
      }, WITHIN);
    });
    billing.simulator.clearFaults();
    await refills().looks();
    expect(refills().intentsOf(accountId)).toEqual([]);
    expect(await refills().purchasesOf(accountId)).toEqual([{ block: 20, status: 'expired', automatic: true }]);
  });
});

describe('a refill is refused', () => {
  it.each([
    ['a threshold above its block', { threshold: 21 }, 'invalid_refill_threshold'],
    ['a month below the price of its block', { monthlyLimit: 899 }, 'invalid_monthly_limit'],
  ])('%s', async (_what, chosen, code) => {
    expect(await codeOf(refills().put(refills().account(), chosen))).toBe(code);
  });
});
