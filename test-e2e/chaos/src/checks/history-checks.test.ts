import { describe, expect, it } from '@jest/globals';
import type { CallRecord, KeptRecord, LateRedisRecord } from '../history.ts';
import { faultAt500, historyOf, invariantsOf, paidCall } from '../test-support/seen.ts';
import { checkBytes, checkCachedReads } from './history-checks.ts';
import { withoutLost } from './lost-answers.ts';
import { checkRevocations } from './revocations.ts';

describe('the check of files', () => {
  it('finds one that changed (I3)', () => {
    const calls = [
      paidCall({ sha256: 'a' }),
      paidCall({ sha256: 'a', kind: 'cached' }),
      paidCall({ sha256: 'b', kind: 'cached' }),
    ];
    expect(invariantsOf(checkBytes(historyOf({ calls })))).toEqual(['I3']);
  });
});

describe('the check of revocations', () => {
  it('finds a key that works 30 s after its revocation (I12)', () => {
    const kept: KeptRecord[] = [{ type: 'revocation', keyId: 'k', at: 5_000 }];
    const at = (ms: number) => paidCall({ keyId: 'k', at: ms });
    expect(checkRevocations(historyOf({ kept, calls: [at(4_000), at(34_999)] }))).toEqual([]);
    expect(invariantsOf(checkRevocations(historyOf({ kept, calls: [at(35_001)] })))).toEqual(['I12']);
  });
});

describe('a restore of everything', () => {
  const account = (email: string): KeptRecord => ({ type: 'account', accountId: email, keyId: email, email });
  const signUp = (about: string, at: number) => paidCall({ kind: 'verify', about, at });
  const seen = historyOf({
    calls: [signUp('before', 1_000), signUp('lost', 2_995), signUp('after', 4_000)],
    kept: [account('before'), account('lost'), account('after')],
  });

  it('takes back no answer but those from its backup on, whose outcomes are unknown', () => {
    const { calls, kept } = withoutLost(seen, { from: 3_000, until: 4_000 });
    expect(calls.map(({ outcome, charged }) => [outcome, charged])).toEqual([
      ['ok', 1],
      ['unknown', 0],
      ['ok', 1],
    ]);
    expect(kept).toEqual([account('before'), account('after')]);
    expect(withoutLost(seen, null)).toBe(seen);
  });

  it('makes a charged read of the cache a fresh one, and no other', () => {
    const calls = (['cached', 'special'] as const).map((kind) => paidCall({ kind, at: 3_500 }));
    const after = withoutLost(historyOf({ calls }), { from: 3_000, until: 4_000 }).calls;
    expect(after.map(({ kind }) => kind)).toEqual(['cold', 'special']);
  });
});

describe('the check of cached reads', () => {
  const failed = { kind: 'cached', hot: true, outcome: 'failed', status: 503 } as const;
  const call = (seen: Partial<CallRecord>) => paidCall({ ...failed, ...seen });

  it('finds one that failed while only others were down', () => {
    const seen = (given: Partial<CallRecord>) =>
      checkCachedReads(historyOf({ faults: [faultAt500()], calls: [call(given)] }));
    expect(seen({})).toHaveLength(1);
    expect(seen({ outcome: 'unknown', status: null })).toHaveLength(1);
    expect([seen({ hot: false }), seen({ at: 1_600 }), seen({ status: 429 })]).toEqual([[], [], []]);
  });

  it('excuses one for which Redis was late, and those shortly after it, but no other', () => {
    const faults = [faultAt500({ until: 9_000 })];
    const lateRedis: LateRedisRecord[] = [{ type: 'late-redis', at: 2_000, ms: 100 }];
    const seen = (at: number) =>
      checkCachedReads(historyOf({ faults, lateRedis, calls: [call({ at })] })).length;
    expect([1_900, 1_995, 2_050, 3_500, 3_700].map(seen)).toEqual([1, 0, 0, 0, 1]);
  });

  it('does not ask for more than the ten seconds for which keys are fresh without identity', () => {
    const stalled = { fault: 'stall', target: 'identity-1', kills: 0 };
    const faults = [faultAt500({ ...stalled, at: 0, until: 20_000, recoveredMs: 20_000 })];
    const seen = (at: number) => checkCachedReads(historyOf({ faults, calls: [call({ at })] }));
    expect([seen(8_000).length, seen(9_500).length]).toEqual([1, 0]);
  });
});
