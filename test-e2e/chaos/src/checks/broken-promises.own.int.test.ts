import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Evidence } from '@tds/audit';
import { asIfCorrupted } from '#support/testing';
import type { CallRecord } from '../history.ts';
import { type CheckedSystem, startCheckedSystem } from '../test-support/checked-system.ts';
import { historyOf, invariantsOf, paidCall } from '../test-support/seen.ts';
import { checkAccounts, checkOperations } from './history-checks.ts';
import { checkProjections } from './projections-check.ts';
import { checkReportedCharges } from './reported-charges.ts';
import { checkSeals, takeSeal } from './seals.ts';

let checked: CheckedSystem;
beforeAll(async () => {
  checked = await startCheckedSystem();
});
afterAll(() => checked?.stop());

const evidence = () => checked.evidence();
const call = (seen: Partial<CallRecord> = {}) => paidCall({ accountId: checked.customer.accountId, ...seen });

describe('the check of what callers have seen', () => {
  it('finds a sign-up that is not there (I3)', async () => {
    const { accountId } = checked.customer;
    const [keyId, email] = [randomUUID(), 'unknown@example.com'];
    const ghost = { type: 'account', accountId: randomUUID(), keyId, email } as const;
    const findings = await checkAccounts(evidence(), historyOf({ kept: [ghost] }));
    expect(findings.map(({ what }) => what)).toEqual(['account and key', 'account in the ledger']);
    const wrongKey = { type: 'account', accountId, keyId, email } as const;
    const wrong = await checkAccounts(evidence(), historyOf({ kept: [wrongKey] }));
    expect(invariantsOf(wrong)).toEqual(['I3']);
  });

  it('finds an accepted request and a paid delivery that are not there (I3)', async () => {
    const accepted = call({ status: 202, charged: 0, requestId: randomUUID(), about: 'load7654321' });
    const paid = call({ about: 'load7654321' });
    const findings = await checkOperations(evidence(), historyOf({ calls: [call(), accepted, paid] }));
    expect(findings.map(({ what }) => what)).toEqual(['accepted request', 'delivery that was paid for']);
  });

  it.each([
    ['was reported but not charged', [1, 1], 1],
    ['was charged but not reported', [], 1],
    ['was reported as charged', [1], 0],
  ])('finds a credit that %s (I2)', async (_title, charges, findings) => {
    const calls = charges.map((charged) => call({ charged }));
    expect(await checkReportedCharges(evidence(), { calls })).toHaveLength(findings);
  });

  it.each([
    ['a 202, whose poll was not made', { status: 202, charged: 0 }, 0],
    ['an answer that was lost', { outcome: 'unknown', status: null, charged: 0 }, 0],
    ['a page of a search that was lost', { kind: 'search', outcome: 'unknown', status: null, charged: 0 }, 0],
    ['a 5xx', { outcome: 'failed', status: 503, charged: 0 }, 1],
    ['a poll with a 5xx', { kind: 'poll', outcome: 'failed', status: 503, charged: 0 }, 1],
    ['a search with a 5xx', { kind: 'search', outcome: 'failed', status: 503, charged: 0 }, 1],
  ] as const)('knows whether %s may cost a credit (I2)', async (_title, seen, findings) => {
    expect(await checkReportedCharges(evidence(), { calls: [call(seen)] })).toHaveLength(findings);
  });

  it('finds a credit that was reported and released (I2)', async () => {
    const { accountId } = checked.customer;
    const refund = `INSERT INTO entries SELECT account_id, version + 1, 'refund', gen_random_uuid()::text, 0, 1, 0,
      free, purchased + 1, reserved, 'refund', NULL, NULL, now() FROM accounts WHERE account_id = '${accountId}'`;
    const check = (charged: number) =>
      asIfCorrupted(checked.system, { 'credits-ledger': refund }, (seen) =>
        checkReportedCharges(seen, { calls: [call({ charged })] }),
      );
    expect([(await check(1)).length, (await check(0)).length]).toEqual([1, 0]);
  });
});

describe('the check of what may never change', () => {
  const noTriggers = 'ALTER TABLE entries DISABLE TRIGGER entries_are_append_only;';
  it.each([
    ['deleted', `${noTriggers} DELETE FROM entries WHERE kind = 'settle'`],
    ['rewritten', `${noTriggers} UPDATE entries SET reason = 'another' WHERE kind = 'reserve'`],
  ])('finds an entry that was %s (I9)', async (_title, change) => {
    const seal = await takeSeal(evidence());
    expect(await checkSeals(evidence(), [seal])).toEqual([]);
    const corruption = { 'credits-ledger': change };
    const findings = await asIfCorrupted(checked.system, corruption, (seen) => checkSeals(seen, [seal]));
    expect(invariantsOf(findings)).toEqual(['I9']);
  });
});

describe('the check of the balances in Redis', () => {
  it.each([
    ['of a number that the ledger has not come to', 'UPDATE accounts SET version = version - 1'],
    ['that is another under the same number', 'UPDATE accounts SET free = free + 1'],
  ])('finds one %s (I3)', async (_title, change) => {
    const check = (seen: Evidence) => checkProjections(seen, checked.system.redis.url);
    expect(await asIfCorrupted(checked.system, {}, check)).toEqual([]);
    const findings = await asIfCorrupted(checked.system, { 'credits-ledger': change }, check);
    expect(invariantsOf(findings)).toEqual(['I3']);
  });
});
