import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf, eventually } from '@tds/test-kit';
import { startBilling, type TestBilling } from '../test-support/start-billing.ts';

const DAY_MS = 86_400_000;

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

const listRefunds = (paymentIntentId: string) =>
  billing.simulator.refunds().filter(({ payment_intent: intent }) => intent === paymentIntentId);
const readStatus = async (accountId: string, purchaseId: string) =>
  (await billing.find(accountId, purchaseId)).refund?.status;

describe('the refund of an untouched block', () => {
  it('takes the block back and returns the money once, for any number of concurrent requests', async () => {
    const { accountId, purchaseId, paymentIntentId, ref } = await billing.buy();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => billing.refund(accountId, purchaseId, 'by mistake')),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    await eventually(async () => expect(await readStatus(accountId, purchaseId)).toBe('succeeded'));
    expect(listRefunds(paymentIntentId)).toMatchObject([{ amount: 900 }]);
    expect(billing.ledger.block(ref)?.net).toBe(0);
    expect(await billing.find(accountId, purchaseId)).toMatchObject({
      status: 'refunded',
      refundable: false,
    });
    await eventually(() =>
      expect(billing.changes.findLast((one) => one.accountId === accountId)).toMatchObject({ tier: 'free' }),
    );
    const by = { keyId: null, personId: accountId };
    expect(billing.refunded.filter((one) => one.accountId === accountId)).toEqual([
      { accountId, purchaseId, block: 20, by },
    ]);
  });

  it('happens once even if the answer of the processor is lost', async () => {
    const { accountId, purchaseId, paymentIntentId } = await billing.buy();
    billing.simulator.fault({ kind: 'unanswered', match: '/v1/refunds', times: 3 });
    await billing.refund(accountId, purchaseId);
    await eventually(async () => expect(await readStatus(accountId, purchaseId)).toBe('succeeded'));
    billing.simulator.clearFaults();
    expect(listRefunds(paymentIntentId)).toHaveLength(1);
  });

  it('returns the block if the processor rejects it', async () => {
    const { accountId, purchaseId, paymentIntentId, ref } = await billing.buy();
    billing.simulator.fault({ kind: 'lose', match: 'dispute' });
    const dispute = billing.simulator.dispute(paymentIntentId);
    expect((await billing.refund(accountId, purchaseId)).status).toBe('pending');
    await eventually(async () => expect(await readStatus(accountId, purchaseId)).toBe('failed'));
    await eventually(() => expect(billing.ledger.block(ref)?.net).toBe(20));
    expect(await codeOf(billing.refund(accountId, purchaseId))).toBe('payment_refund_invalid');
    billing.simulator.closeDispute(dispute.id, 'won');
  });

  it('returns the block if the bank sends the money back later', async () => {
    const { accountId, purchaseId, paymentIntentId, ref } = await billing.buy();
    await billing.refund(accountId, purchaseId);
    await eventually(async () => expect(await readStatus(accountId, purchaseId)).toBe('succeeded'));
    billing.simulator.failRefund(listRefunds(paymentIntentId)[0]?.id ?? '');
    await eventually(() => expect(billing.ledger.block(ref)).toMatchObject({ net: 20, left: 20 }));
    expect(await readStatus(accountId, purchaseId)).toBe('failed');
  });
});

describe('a refund cancelled by the processor', () => {
  it('returns the block', async () => {
    const { accountId, purchaseId, paymentIntentId, ref } = await billing.buy();
    await billing.refund(accountId, purchaseId);
    await eventually(async () => expect(await readStatus(accountId, purchaseId)).toBe('succeeded'));
    expect(billing.ledger.block(ref)?.net).toBe(0);
    const [refund] = listRefunds(paymentIntentId);
    billing.simulator.forge('refund.updated', { ...refund, id: String(refund?.id), status: 'canceled' });
    await eventually(() => expect(billing.ledger.block(ref)).toMatchObject({ net: 20, left: 20 }));
    expect(await readStatus(accountId, purchaseId)).toBe('failed');
  });
});

describe('a refund is rejected for', () => {
  it('a used block; if it is unused again, the request may be repeated', async () => {
    const { accountId, purchaseId, paymentIntentId } = await billing.buy();
    const release = billing.ledger.hold(accountId, 1);
    expect(await codeOf(billing.refund(accountId, purchaseId))).toBe('refund_block_used');
    expect((await billing.find(accountId, purchaseId)).refund).toBeNull();
    expect(listRefunds(paymentIntentId)).toEqual([]);
    release();
    expect((await billing.refund(accountId, purchaseId)).status).toBe('pending');
  });

  it('the fourth block of a mailbox within 30 days, at once or in turn; a repeat of the third is answered', async () => {
    const bought = await Promise.all(Array.from({ length: 5 }, () => billing.buy()));
    billing.identity.mailboxes.push(bought.map(({ accountId }) => accountId));
    const outcomes = await Promise.all(
      bought.map(({ accountId, purchaseId }) => codeOf(billing.refund(accountId, purchaseId))),
    );
    expect(outcomes.filter((code) => code === 'refund_limit')).toHaveLength(2);
    const [refused] = bought.filter((_, index) => outcomes[index] === 'refund_limit');
    const [accepted] = bought.filter((_, index) => outcomes[index] !== 'refund_limit');
    expect(await billing.find(refused?.accountId ?? '', refused?.purchaseId ?? '')).toMatchObject({
      ...{ status: 'paid', refund: null, credits_left: 20 },
    });
    expect(await codeOf(billing.refund(accepted?.accountId ?? '', accepted?.purchaseId ?? ''))).toBe(
      'answered',
    );
    await billing.later(30 * DAY_MS + 1_000, async () => {
      expect((await billing.refund(refused?.accountId ?? '', refused?.purchaseId ?? '')).status).toBe(
        'pending',
      );
    });
  });

  it('an account in debt', async () => {
    const { accountId, purchaseId } = await billing.buy();
    billing.ledger.spend(accountId, 21);
    expect(await codeOf(billing.refund(accountId, purchaseId))).toBe('payment_refund_debt_conflict');
  });

  it('a purchase that is refunded or disputed elsewhere, or not paid', async () => {
    const { accountId, purchaseId, paymentIntentId, ref } = await billing.buy();
    billing.simulator.refund(paymentIntentId, 450);
    await eventually(() => expect(billing.ledger.block(ref)?.net).toBe(10));
    expect(await codeOf(billing.refund(accountId, purchaseId))).toBe('payment_refund_conflict');
    const other = randomUUID();
    const open = await billing.open({ accountId: other });
    expect(await codeOf(billing.refund(other, open.purchaseId))).toBe('payment_purchase_pending');
  });
});

it('a refund whose request was interrupted continues by itself', async () => {
  const { accountId, purchaseId, paymentIntentId, ref } = await billing.buy();
  const { takeBackBlock } = billing.ledger.commands;
  billing.ledger.commands.takeBackBlock = async (request, context) => {
    await takeBackBlock(request, context);
    throw new Error('the answer is lost');
  };
  expect(await codeOf(billing.refund(accountId, purchaseId))).toBe('unexpected_error');
  billing.ledger.commands.takeBackBlock = takeBackBlock;
  expect(billing.ledger.block(ref)?.net).toBe(0);
  await billing.later(60_001, () => billing.handlers().schedules.reconcilePurchases(billing.context()));
  await eventually(() => expect(listRefunds(paymentIntentId)).toHaveLength(1));
  expect(billing.ledger.block(ref)?.net).toBe(0);
});
