import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identity, purchaseRef } from '@tds/contracts';
import { passLeases } from '@tds/kit/testing';
import { copyDatabase, doomedProcesses, eventually, proven } from '@tds/test-kit';
import { startBilling, type TestBilling } from './test-support/start-billing.ts';

const HOUR_MS = 3_600_000;
const WITHIN = { everyMs: 250 };

let billing: TestBilling;
const doomed = doomedProcesses(path.resolve(import.meta.dirname, 'main.ts'), () => ({
  ...billing.harness.environmentOf('billing'),
  ...billing.settings,
}));
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(async () => {
  doomed.stop();
  await billing?.stop();
});

type Bought = { readonly purchaseId: string; readonly paymentIntentId: string };

const listRefunds = ({ paymentIntentId }: Pick<Bought, 'paymentIntentId'>) =>
  billing.simulator.refunds().filter(({ payment_intent: intent }) => intent === paymentIntentId);
const net = ({ purchaseId }: Pick<Bought, 'purchaseId'>) =>
  billing.ledger.block(purchaseRef(purchaseId))?.net ?? 0;
const refunded = (bought: Bought) =>
  eventually(
    () => expect([listRefunds(bought).map(({ amount }) => amount), net(bought)]).toEqual([[900], 0]),
    WITHIN,
  );
const reconcile = () =>
  billing.later(HOUR_MS, async () => {
    await billing.handlers().schedules.reconcileEvents(billing.context());
    await billing.handlers().schedules.reconcileAllPurchases(billing.context());
  });
/** Waits until the tasks about these purchases have ended. */
const settled = () =>
  eventually(async () => {
    const { rows } = await billing.kit().db.query(`SELECT FROM messaging.tasks WHERE state = 'ready'`);
    expect(rows).toHaveLength(0);
  }, WITHIN);
const open = async (accountId: string) => (await billing.open({ accountId })).purchaseId;
const second = async (accountId: string): Promise<Bought> => {
  // Several blocks are allowed once a hundred credits were spent.
  billing.ledger.grant(accountId, 100);
  billing.ledger.spend(accountId, 100);
  return billing.buy({ accountId });
};

describe('closing an account', () => {
  it('refunds each block of which nothing was used, and keeps the money of one that was', async () => {
    const used = await billing.buy();
    const untouched = await second(used.accountId);
    billing.ledger.spend(used.accountId, 1);
    await billing.close(used.accountId);
    await refunded(untouched);
    await settled();
    await reconcile();
    await settled();
    expect([listRefunds(used), net(used)]).toEqual([[], 20]);
    const requests = await billing
      .kit()
      .db.query('SELECT reason FROM refund_requests WHERE purchase_id = $1', [untouched.purchaseId]);
    expect(requests.rows).toEqual([{ reason: 'The account is closed.' }]);
  });

  it('refunds a block that work still holds once the work releases it', async () => {
    const held = await billing.buy();
    const release = billing.ledger.hold(held.accountId, 20);
    await billing.close(held.accountId);
    await settled();
    expect(listRefunds(held)).toEqual([]);
    release();
    await reconcile();
    await refunded(held);
  });

  it('closes the open page, and refunds one that is paid at that moment', async () => {
    const [closed, late] = [randomUUID(), randomUUID()];
    const page = await open(closed);
    await billing.close(closed);
    await eventually(() => expect(billing.sessionOf(page).status).toBe('expired'), WITHIN);
    const purchaseId = await open(late);
    billing.ledger.close(late);
    const paymentIntentId = billing.pay(purchaseId);
    await billing.close(late);
    await refunded({ purchaseId, paymentIntentId });
  });

  it('refunds a payment whose credits arrive before the ledger knows of the closing', async () => {
    const bought = await billing.buy();
    const closed = { accountId: bought.accountId, status: 'closed', version: 1 } as const;
    await billing.identity.emit(identity.accountStatusChanged, closed);
    await settled();
    expect(net(bought)).toBe(20);
    billing.ledger.close(bought.accountId);
    await reconcile();
    await refunded(bought);
  });

  it('refunds what a stranger paid for its address, accepted and untouched or still waiting', async () => {
    const accountId = randomUUID();
    const accepted = await billing.give(accountId);
    await billing.accept(accountId, accepted.purchaseId);
    await billing.granted(accepted.purchaseId);
    const waiting = await billing.give(accountId);
    await settled();
    await billing.close(accountId);
    await refunded(accepted);
    await refunded(waiting);
  });

  it('keeps money that a bank holds, and refunds it if the dispute is won', async () => {
    const disputed = await billing.buy();
    const dispute = billing.simulator.dispute(disputed.paymentIntentId);
    await eventually(() => expect(net(disputed)).toBe(0));
    await billing.close(disputed.accountId);
    await settled();
    expect(listRefunds(disputed)).toEqual([]);
    billing.simulator.closeDispute(dispute.id, 'won');
    await refunded(disputed);
  });

  it('refunds once if its event comes twice, beside a refund that the holder requested', async () => {
    const bought = await billing.buy();
    await Promise.all([
      billing.refund(bought.accountId, bought.purchaseId),
      billing.close(bought.accountId),
      billing.close(bought.accountId),
    ]);
    await refunded(bought);
    await settled();
    await reconcile();
    await settled();
    expect(listRefunds(bought)).toHaveLength(1);
  });

  it('shows an operator a refund that the processor rejects, once', async () => {
    const bought = await billing.buy();
    // The processor rejects refunds of disputed payments, and the event of the dispute is lost.
    billing.simulator.fault({ kind: 'lose', match: 'dispute' });
    billing.simulator.dispute(bought.paymentIntentId);
    await billing.close(bought.accountId);
    const noted = () =>
      billing
        .kit()
        .db.query(
          `SELECT m.code FROM mismatched_payments AS m JOIN refund_requests AS q ON q.id::text = m.id WHERE q.purchase_id = $1`,
          [bought.purchaseId],
        );
    await eventually(
      async () => expect((await noted()).rows).toEqual([{ code: 'payment_refund_invalid' }]),
      WITHIN,
    );
    await settled();
  });
});

describe('the refunds of a closed account', () => {
  it('follow if its event never arrives, and if billing is restored to before it', async () => {
    const unheard = await billing.buy();
    billing.ledger.close(unheard.accountId);
    await reconcile();
    await refunded(unheard);
    const bought = await billing.buy();
    const copy = await copyDatabase(billing.database);
    await billing.close(bought.accountId);
    await refunded(bought);
    await settled();
    await copy.putBack();
    await eventually(async () => {
      await reconcile();
      expect((await billing.find(bought.accountId, bought.purchaseId)).status).toBe('refunded');
      expect(net(bought)).toBe(0);
    }, WITHIN);
    await settled();
    expect(listRefunds(bought)).toHaveLength(1);
    await copy.drop();
  });

  it('follow if billing was away', async () => {
    const bought = await billing.buy();
    await billing.stopService();
    await billing.close(bought.accountId);
    await billing.startService();
    await refunded(bought);
  });

  const kits = ['task-claimed', 'task-handled', 'task-completed'].map(
    (point) => `${point}:settle-closed-account`,
  );
  it.each([
    'refund-submitted:settle-purchase',
    ...proven([], ['transaction-committed:account-status-changed', ...kits]),
  ])('move once if billing is killed at %s', async (crashAt) => {
    const bought = await billing.buy();
    await settled();
    await billing.stopService();
    await billing.close(bought.accountId);
    await doomed.dieAt(crashAt);
    await passLeases('billing', billing.database);
    await billing.startService();
    await refunded(bought);
    await settled();
    expect(listRefunds(bought)).toHaveLength(1);
  });
});
