import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { creditsLedger } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { newReserve } from '../test-support/requests.ts';
import { startLedger, type TestLedger } from '../test-support/start-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

const charge = (accountId: string, unit: number, ref = randomUUID()) => {
  const { coverage: _, ...request } = newReserve({ accountId, unit, ref });
  return ledger.call(creditsLedger.chargeItems, request, testContext());
};
const readBalance = (accountId: string) => ledger.requests.readBalance(accountId);

it('a charge beyond the balance returns the debt and no negative balance', async () => {
  const accountId = randomUUID();
  expect(await readBalance(accountId)).toMatchObject({ free: 100, debt: 0 });
  expect(await charge(accountId, 103)).toMatchObject({
    charged: [1],
    balance: { free: 0, purchased: 0 },
  });
  expect(await readBalance(accountId)).toMatchObject({ free: 0, purchased: 0, reserved: 0, debt: 3 });
});

it('a charge of an account that may not spend has the error of a reserve', async () => {
  const accountId = randomUUID();
  await ledger.database.functions.setStatus(accountId, 'frozen', 1);
  await expect(charge(accountId, 1)).rejects.toMatchObject({ code: 'account_frozen' });
  await ledger.database.functions.setStatus(accountId, 'closed', 2);
  await expect(charge(accountId, 1)).rejects.toMatchObject({ code: 'account_closed' });
});

it('a charge under a ref with another price is an error of the caller', async () => {
  const [accountId, ref] = [randomUUID(), randomUUID()];
  await charge(accountId, 2, ref);
  await expect(charge(accountId, 3, ref)).rejects.toMatchObject({ code: 'unexpected_error' });
});
