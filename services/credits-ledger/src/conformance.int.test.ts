import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { creditsLedger } from '@tds/contracts';
import { testContext } from '@tds/kit/testing';
import { ledgerConformance } from '@tds/reservations/testing';
import { startLedger, type TestLedger } from './test-support/start-ledger.ts';

let ledger: TestLedger;
beforeAll(async () => {
  ledger = await startLedger();
});
afterAll(async () => {
  expect(await ledger.database.findings()).toEqual([]);
  await ledger.stop();
});

describe('the ledger', () => {
  it.each(ledgerConformance)('$title', ({ run }) =>
    run({
      call: (command, request) =>
        ledger.call(command as typeof creditsLedger.reserveItems, request as never, testContext()) as never,
      grant: async (accountId, credits) => {
        await ledger.database.functions.grant(accountId, `purchase:${Math.random()}`, credits);
      },
      close: async (accountId) => {
        await ledger.database.functions.setStatus(accountId, 'closed', 1);
      },
    }),
  );
});
