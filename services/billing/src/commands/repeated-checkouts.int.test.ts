import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { codeOf } from '@tds/test-kit';
import { startBilling, type TestBilling } from '../test-support/start-billing.ts';

let billing: TestBilling;
beforeAll(async () => {
  billing = await startBilling();
});
afterAll(() => billing.stop());

const idempotencyKey = 'order 7';

describe('a request with an Idempotency-Key', () => {
  it('opens one page for all repeats, even after it was paid, and a separate one for another account', async () => {
    const accountId = randomUUID();
    const first = await billing.open({ accountId, idempotencyKey });
    const repeat = { ...first, isReplayed: true };
    expect(first).toMatchObject({ isReplayed: false, block: 20, amount: 900, currency: 'usd' });
    expect(await billing.open({ accountId, idempotencyKey })).toEqual(repeat);
    billing.pay(first.purchaseId);
    await billing.granted(first.purchaseId);
    expect(await billing.open({ accountId, idempotencyKey })).toEqual(repeat);
    expect(await billing.list(accountId)).toHaveLength(1);
    const other = await billing.open({ idempotencyKey });
    expect(other.purchaseId).not.toBe(first.purchaseId);
  });

  it('is rejected with another block', async () => {
    const accountId = randomUUID();
    await billing.open({ accountId, idempotencyKey, block: 20 });
    expect(await codeOf(billing.open({ accountId, idempotencyKey, block: 50 }))).toBe('idempotency_key_reused');
    expect(await billing.list(accountId)).toMatchObject([{ block: 20, status: 'open' }]);
  });

  it('of a stranger with another block is a separate request, and reveals nothing about the first', async () => {
    const email = `${randomUUID()}@example.com`;
    const first = await billing.openFor(email, idempotencyKey, 20);
    const guess = await billing.openFor(email.toUpperCase(), idempotencyKey, 50);
    expect(guess).toMatchObject({ isReplayed: false, block: 50 });
    expect(guess.purchaseId).not.toBe(first.purchaseId);
    expect(await billing.openFor(email, idempotencyKey, 20)).toEqual({ ...first, isReplayed: true });
  });

  it('sent several times at once waits for the first and gets its page, for an account and for an address', async () => {
    const accountId = randomUUID();
    const email = `${randomUUID()}@example.com`;
    for (const open of [
      () => billing.open({ accountId, idempotencyKey }),
      () => billing.openFor(email, idempotencyKey),
    ]) {
      const answers = await Promise.all(Array.from({ length: 5 }, open));
      expect(new Set(answers.map(({ purchaseId }) => purchaseId)).size).toBe(1);
      expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1);
    }
  });

  it('may be repeated if the processor failed: nothing was started', async () => {
    const accountId = randomUUID();
    billing.simulator.fault({ kind: 'error', match: '/checkout/sessions', times: 2 });
    expect(await codeOf(billing.open({ accountId, idempotencyKey }))).toBe('payment_request_failed');
    expect(await billing.open({ accountId, idempotencyKey })).toMatchObject({ isReplayed: false });
  });
});
