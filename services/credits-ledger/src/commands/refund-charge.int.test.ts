import { randomUUID } from 'node:crypto';
import { creditsLedger } from '@tds/contracts';
import { testContext } from '@tds/service-kit/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startLedger, type TestLedger } from '../test-support/start-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

const charge = async () => {
  const { functions } = ledger.database;
  const [account_id, ref] = [randomUUID(), randomUUID()];
  await functions.reserve([{ account_id, ref, amount: 3 }]);
  await functions.settle([ref]);
  return { account_id, ref };
};
const refund = (ref: string) => ledger.call(creditsLedger.refundCharge, { ref }, testContext());
const balanceOf = (accountId: string) => ledger.call(creditsLedger.getBalance, { accountId }, testContext());

describe('what was charged for an answer that failed', () => {
  it('is given back once, however often and by however many it is asked for', async () => {
    const { account_id, ref } = await charge();
    const answers = await Promise.all(Array.from({ length: 6 }, () => refund(ref)));
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['granted']));
    expect(await balanceOf(account_id)).toMatchObject({ free: 97, purchased: 3, reserved: 0 });
    const { rows } = await ledger.database.admin.query(
      `SELECT ref, reason, purchased_delta FROM entries WHERE account_id = $1 AND kind = 'grant'`,
      [account_id],
    );
    expect(rows).toEqual([{ ref: `refund:${ref}`, reason: 'refund', purchased_delta: 3 }]);
  });

  it('is nothing where nothing was charged: no such ref, or one that is open or was released', async () => {
    const [account_id, open, released] = [randomUUID(), randomUUID(), randomUUID()];
    await ledger.database.functions.reserve([open, released].map((ref) => ({ account_id, ref, amount: 1 })));
    await ledger.database.functions.release([released]);
    for (const ref of [randomUUID(), open, released]) {
      expect(await refund(ref)).toEqual({ outcome: 'unknown' });
    }
    expect(await balanceOf(account_id)).toMatchObject({ free: 99, purchased: 0, reserved: 1 });
  });

  it('is not given to a closed account', async () => {
    const { account_id, ref } = await charge();
    await ledger.database.functions.setStatus(account_id, 'closed', 1);
    expect(await refund(ref)).toEqual({ outcome: 'closed' });
  });
});
