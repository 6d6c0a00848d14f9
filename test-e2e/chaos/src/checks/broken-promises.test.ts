import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Evidence, openEvidence } from '@tds/audit';
import {
  asIfCorrupted,
  type Customer,
  signUp,
  startTestSystem,
  type TestSystem,
} from '@tds/e2e-support/testing';
import { loadVideoId } from '@tds/platform-simulator';
import type { CallRecord, FaultRecord, KeptRecord, LateRedisRecord } from '../history.ts';
import { checkAccounts, checkBytes, checkCachedReads, checkOperations } from './history-checks.ts';
import { checkProjections } from './projections-check.ts';
import { checkRevocations } from './revocations.ts';
import { checkSeals, takeSeal } from './seals.ts';
import { checkSlowCalls } from './slow-calls.ts';
import { checkToldCharges } from './told-charges.ts';

let system: TestSystem;
let customer: Customer;
let dir: string;
const evidence = () =>
  openEvidence((service) => String(system.databases[service]?.adminUrl), { atRest: true });

beforeAll(async () => {
  system = await startTestSystem();
  customer = await signUp(system);
  await customer.get(`/v1/transcript?video_id=${loadVideoId(911)}`);
  dir = await mkdtemp(path.join(tmpdir(), 'tds-chaos-'));
});
afterAll(async () => {
  await system?.stop();
  await rm(dir, { recursive: true, force: true });
});

const call = (seen: Partial<CallRecord> = {}): CallRecord => ({
  type: 'call',
  kind: 'cold',
  at: 1_000,
  ms: 10,
  outcome: 'ok',
  status: 200,
  code: null,
  requestId: null,
  accountId: customer.accountId,
  keyId: null,
  about: loadVideoId(911),
  charged: 1,
  cache: 'MISS',
  sha256: null,
  hot: false,
  ...seen,
});
type Seen = {
  calls: CallRecord[];
  kept: KeptRecord[];
  faults: FaultRecord[];
  lateRedis: LateRedisRecord[];
};
const nothing: Seen = { calls: [], kept: [], faults: [], lateRedis: [] };
const history = (seen: Partial<Seen>): Seen => ({ ...nothing, ...seen });
const invariants = (findings: readonly { invariant: string }[]) => findings.map(({ invariant }) => invariant);

describe('the check of what callers have seen', () => {
  it('finds a sign-up that is not there (I3)', async () => {
    const { accountId } = customer;
    const [keyId, email] = [randomUUID(), 'nobody@example.com'];
    const ghost = { type: 'account', accountId: randomUUID(), keyId, email } as const;
    const findings = await checkAccounts(evidence(), history({ kept: [ghost] }));
    expect(findings.map(({ what }) => what)).toEqual(['account and key', 'account in the ledger']);
    const wrongKey = { type: 'account', accountId, keyId, email } as const;
    expect(invariants(await checkAccounts(evidence(), history({ kept: [wrongKey] })))).toEqual(['I3']);
  });

  it('finds an accepted request and a paid delivery that are not there (I3)', async () => {
    const accepted = call({ status: 202, charged: 0, requestId: randomUUID(), about: 'load7654321' });
    const paid = call({ about: 'load7654321' });
    const findings = await checkOperations(evidence(), history({ calls: [call(), accepted, paid] }));
    expect(findings.map(({ what }) => what)).toEqual(['accepted request', 'delivery that was paid for']);
  });

  it('finds a file that changed (I3)', () => {
    const calls = [
      call({ sha256: 'a' }),
      call({ sha256: 'a', kind: 'cached' }),
      call({ sha256: 'b', kind: 'cached' }),
    ];
    expect(invariants(checkBytes(history({ calls })))).toEqual(['I3']);
  });

  it.each([
    ['was told but not charged', [1, 1], 1],
    ['was charged but not told', [], 1],
    ['was told as charged', [1], 0],
  ])('finds a credit that %s (I2)', async (_title, charges, findings) => {
    const calls = charges.map((charged) => call({ charged }));
    expect(await checkToldCharges(evidence(), { calls })).toHaveLength(findings);
  });

  it.each([
    ['a 202, whose poll was not made', { status: 202, charged: 0 }, 0],
    ['an answer that was lost', { outcome: 'unknown', status: null, charged: 0 }, 0],
    ['a 5xx', { outcome: 'failed', status: 503, charged: 0 }, 1],
    ['a poll with a 5xx', { kind: 'poll', outcome: 'failed', status: 503, charged: 0 }, 1],
  ] as const)('knows whether %s may cost a credit (I2)', async (_title, seen, findings) => {
    expect(await checkToldCharges(evidence(), { calls: [call(seen)] })).toHaveLength(findings);
  });

  it('finds a credit that was told and given back (I2)', async () => {
    const { accountId } = customer;
    const refund = `INSERT INTO entries SELECT account_id, version + 1, 'grant', 'refund:' || gen_random_uuid(), 0, 1, 0,
      free, purchased + 1, reserved, 'refund', NULL, NULL, now() FROM accounts WHERE account_id = '${accountId}'`;
    const check = (charged: number) =>
      asIfCorrupted(system, { 'credits-ledger': refund }, (seen) =>
        checkToldCharges(seen, { calls: [call({ charged })] }),
      );
    expect([(await check(1)).length, (await check(0)).length]).toEqual([1, 0]);
  });

  it('finds a key that works 30 s after its revocation (I12)', () => {
    const kept: KeptRecord[] = [{ type: 'revocation', keyId: 'k', at: 5_000 }];
    const at = (ms: number) => call({ keyId: 'k', at: ms });
    expect(checkRevocations(history({ kept, calls: [at(4_000), at(34_999)] }))).toEqual([]);
    expect(invariants(checkRevocations(history({ kept, calls: [at(35_001)] })))).toEqual(['I12']);
  });

  it('finds a cached read that failed while only others were down', () => {
    const fault: FaultRecord = {
      type: 'fault',
      fault: 'kill-broker',
      target: 'nats',
      kills: 1,
      at: 500,
      until: 1_500,
      recoveredMs: 900,
      cachedReads: true,
      happened: true,
    };
    const failed = { kind: 'cached', hot: true, outcome: 'failed', status: 503 } as const;
    const seen = (given: Partial<CallRecord>) =>
      checkCachedReads(history({ faults: [fault], calls: [call({ ...failed, ...given })] }));
    expect(seen({})).toHaveLength(1);
    expect(seen({ outcome: 'unknown', status: null })).toHaveLength(1);
    expect([seen({ hot: false }), seen({ at: 1_600 }), seen({ status: 429 })]).toEqual([[], [], []]);
  });

  it('excuses a cached read for which Redis was late, and those shortly after it, but no other', () => {
    const fault: FaultRecord = {
      type: 'fault',
      fault: 'kill-broker',
      target: 'nats',
      kills: 1,
      at: 500,
      until: 9_000,
      recoveredMs: 900,
      cachedReads: true,
      happened: true,
    };
    const failed = { kind: 'cached', hot: true, outcome: 'failed', status: 503 } as const;
    const lateRedis: LateRedisRecord[] = [{ type: 'late-redis', at: 2_000, ms: 100 }];
    const seen = (at: number) =>
      checkCachedReads(history({ faults: [fault], lateRedis, calls: [call({ ...failed, at })] })).length;
    expect([1_900, 1_995, 2_050, 3_500, 3_700].map(seen)).toEqual([1, 0, 0, 0, 1]);
  });

  it('does not ask for more than the ten seconds for which keys are vouched for without identity', () => {
    const fault: FaultRecord = {
      type: 'fault',
      fault: 'stall',
      target: 'identity-1',
      kills: 0,
      at: 0,
      until: 20_000,
      recoveredMs: 20_000,
      cachedReads: true,
      happened: true,
    };
    const failed = { kind: 'cached', hot: true, outcome: 'failed', status: 503 } as const;
    const seen = (at: number) =>
      checkCachedReads(history({ faults: [fault], calls: [call({ ...failed, at })] }));
    expect([seen(8_000).length, seen(9_500).length]).toEqual([1, 0]);
  });
});

describe('the check of a slow network', () => {
  const fault: FaultRecord = {
    type: 'fault',
    fault: 'slow-network',
    target: 'nats',
    kills: 0,
    at: 500,
    until: 1_500,
    recoveredMs: 900,
    cachedReads: true,
    happened: true,
  };
  const kill: FaultRecord = { ...fault, fault: 'kill-gateway', target: 'gateway-1', kills: 1, at: 1_600 };
  const seen = (...calls: Partial<CallRecord>[]) => {
    const answered = Array.from({ length: 19 }, () => call());
    const seenCalls = [...answered, ...calls.map(call)];
    return invariants(checkSlowCalls(history({ faults: [fault, kill], calls: seenCalls })));
  };
  const refused = { outcome: 'failed', status: 503 } as const;

  it('finds a call without an answer (R20)', () => {
    expect([seen(), seen({ outcome: 'unknown', status: null })]).toEqual([[], ['R20']]);
  });

  it('leaves a call that was cut off by a kill to that kill', () => {
    expect(seen({ outcome: 'unknown', status: null, ms: 900 })).toEqual([]);
  });

  it('finds that more than a tenth is refused, and leaves out what was before (R20)', () => {
    expect(seen(refused, refused)).toEqual([]);
    expect(seen(refused, refused, refused)).toEqual(['R20']);
    expect(seen(...Array(9).fill({ ...refused, at: 400 }))).toEqual([]);
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
    expect(invariants(await asIfCorrupted(system, corruption, (seen) => checkSeals(seen, [seal])))).toEqual([
      'I9',
    ]);
  });
});

describe('the check of the balances in Redis', () => {
  it.each([
    ['of a number that the ledger has not come to', 'UPDATE accounts SET version = version - 1'],
    ['that is another under the same number', 'UPDATE accounts SET free = free + 1'],
  ])('finds one %s (I3)', async (_title, change) => {
    const port = Number(new URL(system.redis.url).port);
    const check = (seen: Evidence) => checkProjections(seen, port);
    expect(await asIfCorrupted(system, {}, check)).toEqual([]);
    expect(invariants(await asIfCorrupted(system, { 'credits-ledger': change }, check))).toEqual(['I3']);
  });
});
