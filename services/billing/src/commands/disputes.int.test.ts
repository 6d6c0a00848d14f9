import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { purchaseRef } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import { startBilling, type TestBilling } from '../test-support/start-billing.ts';

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

const isDisputed = (accountId: string) =>
  billing.changes.findLast((change) => change.accountId === accountId)?.isDisputed;
const net = (ref: string) => billing.ledger.block(ref)?.net;

describe('a dispute', () => {
  it('takes the credits while it is open, spent or not, and returns them when it is won', async () => {
    const { accountId, purchaseId, paymentIntentId, ref } = await billing.buy();
    billing.ledger.spend(accountId, 15);
    const dispute = billing.simulator.dispute(paymentIntentId);
    await eventually(() => expect([net(ref), isDisputed(accountId)]).toEqual([0, true]));
    expect((await billing.find(accountId, purchaseId)).status).toBe('disputed');
    billing.simulator.closeDispute(dispute.id, 'won');
    await eventually(() => expect([net(ref), isDisputed(accountId)]).toEqual([20, false]));
    expect(billing.ledger.block(ref)?.left).toBe(5);
  });

  it('that is lost takes them for good', async () => {
    const { accountId, paymentIntentId, ref } = await billing.buy();
    const dispute = billing.simulator.dispute(paymentIntentId);
    billing.simulator.closeDispute(dispute.id, 'lost');
    await eventually(() => expect([net(ref), isDisputed(accountId)]).toEqual([0, true]));
    const lastChange = billing.changes.findLast((change) => change.accountId === accountId);
    expect(lastChange?.tier).toBe('free');
  });

  it('of a part of the money takes that part of the credits', async () => {
    const { paymentIntentId, ref } = await billing.buy();
    billing.simulator.dispute(paymentIntentId, 90);
    await eventually(() => expect(net(ref)).toBe(18));
  });

  it('that is reported after its end, before the payment, and three times has its final state', async () => {
    const { purchaseId } = await billing.open();
    billing.simulator.fault({ kind: 'hold', times: 5 });
    const paymentIntentId = billing.pay(purchaseId);
    const dispute = billing.simulator.dispute(paymentIntentId);
    billing.simulator.closeDispute(dispute.id, 'won');
    billing.simulator.release();
    await billing.simulator.whenIdle();
    const block = await billing.granted(purchaseId);
    for (const event of billing.simulator.events().slice(-5)) {
      billing.simulator.resend(event);
      billing.simulator.resend(event);
    }
    await billing.simulator.whenIdle();
    await eventually(() => expect(net(block.ref)).toBe(20));
    await billing.handlers().schedules.reconcileAllPurchases(billing.context());
    await eventually(() => expect(net(block.ref)).toBe(20));
  });

  it('and a refund that are reported before the payment grant nothing', async () => {
    const { purchaseId } = await billing.open();
    billing.simulator.fault({ kind: 'hold', times: 5 });
    const paymentIntentId = billing.pay(purchaseId);
    billing.simulator.refund(paymentIntentId);
    billing.simulator.release();
    await billing.simulator.whenIdle();
    await eventually(async () => {
      const { rows } = await billing
        .kit()
        .db.query('SELECT granted_at FROM purchases WHERE id = $1', [purchaseId]);
      expect(rows[0]?.granted_at).not.toBeNull();
    });
    expect(billing.ledger.block(purchaseRef(purchaseId))).toBeUndefined();
  });
});
