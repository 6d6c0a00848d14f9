import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { poolClient } from '@tds/base/testing';
import { billing as contract, purchaseRef } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import { startBilling, type TestBilling } from './test-support/start-billing.ts';

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
  // Waits for the first reconciliation, which would settle these purchases too; the next one is a minute later.
  await eventually(async () => {
    const text = `SELECT FROM messaging.schedules WHERE name = 'reconcile-events' AND due_at > now() AND lease_until IS NULL`;
    expect((await billing.kit().db.query(text)).rows).toHaveLength(1);
  });
});
afterAll(() => billing.stop());

/** Paid purchases of several accounts, not granted yet, as a batch of events leaves them. */
const paidTogether = async (count: number) => {
  const paid = Array.from({ length: count }, async () => {
    const accountId = randomUUID();
    const { purchaseId } = await billing.open({ accountId });
    billing.simulator.fault({ kind: 'lose', times: 3 });
    const paymentIntentId = billing.pay(purchaseId);
    const text = `UPDATE purchases SET state = 'paid', paid_at = now(), changed_at = now(), payment_intent_id = $2 WHERE id = $1`;
    await billing.kit().db.query(text, [purchaseId, paymentIntentId]);
    return { accountId, purchaseId, paymentIntentId, ref: purchaseRef(purchaseId) };
  });
  const purchases = await Promise.all(paid);
  billing.simulator.clearFaults();
  return purchases;
};
type PaidPurchase = Awaited<ReturnType<typeof paidTogether>>[number];
const grantTogether = (purchases: readonly { readonly purchaseId: string }[]): Promise<unknown> =>
  billing
    .kit()
    .messaging.transaction(poolClient(billing.kit().db), (_tx, send) =>
      send.enqueue(contract.grantPurchases, { purchaseIds: purchases.map(({ purchaseId }) => purchaseId) }),
    );
const net = (ref: string) => billing.ledger.block(ref)?.net ?? 0;
const tierOf = (accountId: string) => billing.changes.findLast((one) => one.accountId === accountId)?.tier;
const nothingLeft = async () => {
  const { rows } = await billing.kit().db.query(`SELECT name FROM messaging.tasks WHERE state = 'ready'`);
  expect(rows).toEqual([]);
};

describe('purchases paid together', () => {
  it('are granted by one command, and each customer is emitted', async () => {
    const purchases = await paidTogether(5);
    const { grantPurchases } = billing.ledger.commands;
    let asked = 0;
    billing.ledger.commands.grantPurchases = (request, context) => {
      asked += 1;
      return grantPurchases(request, context);
    };
    await grantTogether(purchases);
    await eventually(() => {
      expect(purchases.map(({ ref }) => net(ref))).toEqual([20, 20, 20, 20, 20]);
      expect(new Set(purchases.map(({ accountId }) => tierOf(accountId)))).toEqual(new Set(['paid']));
    });
    await eventually(nothingLeft);
    billing.ledger.commands.grantPurchases = grantPurchases;
    expect(asked).toBe(1);
  });

  it('do not delay each other: one is of a closed account, one is locked, one is of a stranger', async () => {
    const [plain, closed, locked, guest] = (await paidTogether(4)) as [
      PaidPurchase,
      PaidPurchase,
      PaidPurchase,
      PaidPurchase,
    ];
    const email = `${randomUUID()}@example.com`;
    await billing
      .kit()
      .db.query(`UPDATE purchases SET account_id = NULL, email = $2, bought_by = 'stranger' WHERE id = $1`, [
        guest.purchaseId,
        email,
      ]);
    billing.ledger.close(closed.accountId);
    const { grantPurchases } = billing.ledger.commands;
    billing.ledger.commands.grantPurchases = async (request, context) => {
      billing.ledger.commands.grantPurchases = grantPurchases;
      const others = request.purchases.filter(({ ref }) => ref !== locked.ref);
      const { outcomes } = await grantPurchases({ purchases: others }, context);
      const left = [...outcomes];
      return {
        outcomes: request.purchases.map(({ ref }) => (ref === locked.ref ? 'busy' : left.shift()) ?? 'busy'),
      };
    };
    await grantTogether([plain, closed, locked, guest]);
    await eventually(async () => {
      expect([plain, locked, guest].map(({ ref }) => net(ref))).toEqual([20, 20, 0]);
      expect((await billing.find(closed.accountId, closed.purchaseId)).status).toBe('refunded');
    });
    await eventually(nothingLeft);
  });

  it('and refunded during the grant have no credits in the end', async () => {
    const [kept, refunded] = (await paidTogether(2)) as [PaidPurchase, PaidPurchase];
    const { grantPurchases } = billing.ledger.commands;
    billing.ledger.commands.grantPurchases = async (request, context) => {
      billing.ledger.commands.grantPurchases = grantPurchases;
      billing.simulator.refund(refunded.paymentIntentId);
      // The refund is settled before the grant.
      await eventually(async () => {
        const text = 'SELECT FROM purchases WHERE id = $1 AND granted_at IS NOT NULL';
        expect((await billing.kit().db.query(text, [refunded.purchaseId])).rows).toHaveLength(1);
      });
      return grantPurchases(request, context);
    };
    await grantTogether([kept, refunded]);
    await eventually(async () => {
      await nothingLeft();
      expect([kept, refunded].map(({ ref }) => net(ref))).toEqual([20, 0]);
    });
    expect(billing.ledger.books().account(refunded.accountId).purchased).toBe(0);
    expect((await billing.find(refunded.accountId, refunded.purchaseId)).status).toBe('refunded');
    await eventually(() => expect(tierOf(refunded.accountId) ?? 'free').toBe('free'));
  });
});
