import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { creditsLedger } from '@tds/contracts';
import { createCaller, startHarness, testContext } from '@tds/kit/testing';
import { fakeLedger } from './fake-ledger.ts';
import { ledgerConformance } from './ledger-conformance.ts';
import type { LedgerUnderTest } from './ledger-under-test.ts';

let ledger: LedgerUnderTest;
let stop: () => Promise<void>;
beforeAll(async () => {
  const harness = await startHarness({ databases: {} });
  const fake = fakeLedger();
  const caller = createCaller(creditsLedger);
  for (const service of [fake.service, caller.service]) await harness.start(service);
  ledger = {
    call: (command, request) => caller.call(command as never, request as never, testContext()),
    grant: async (accountId, credits) => fake.grant(accountId, credits),
    close: async (accountId) => fake.close(accountId),
  };
  stop = () => harness.stop();
});
afterAll(() => stop?.());

describe('the fake ledger', () => {
  it.each(ledgerConformance)('$title', ({ run }) => run(ledger));
});
