import { describe, expect, it } from '@jest/globals';
import { buildScopes, type Caller, coldLimits, scopeRefusal } from './cold-caps.ts';

const now = new Date('2026-11-20T23:59:59.001Z');
const OLD = '2026-01-01T00:00:00.000Z';
const caller = (given: Partial<Caller> = {}): Caller => ({
  accountId: 'account',
  limitId: 'slot',
  tier: 'free',
  accountCreatedAt: OLD,
  ...given,
});
const scopes = (given: Partial<Caller> = {}) =>
  buildScopes(caller(given), now, coldLimits).map(({ name, limit }) => [name, limit]);
const shared = [
  ['pool:free', 5_000],
  ['pool:global', 50_000],
];

describe('the scopes of a cold fetch', () => {
  it('are the slot of its key by tier, then the pools: the free pool for free keys, the global one for all', () => {
    expect(scopes()).toEqual([['key:slot', 100], ...shared]);
    expect(scopes({ tier: 'paid' })).toEqual([
      ['key:slot', 20_000],
      ['pool:global', 50_000],
    ]);
  });

  it('are the account itself, like one key, for a request without a key', () => {
    expect(scopes({ limitId: null })[0]).toEqual(['key:account', 100]);
  });

  it('include the account, before its key, for its first 48 hours in any tier', () => {
    const both = [['account:account', 25], ['key:slot', 100], ...shared];
    expect(scopes({ accountCreatedAt: '2026-11-20T23:59:59.001Z' })).toEqual(both);
    expect(scopes({ accountCreatedAt: '2026-11-18T23:59:59.002Z' })).toEqual(both);
    expect(scopes({ accountCreatedAt: '2026-11-18T23:59:59.001Z' })).toEqual(both.slice(1));
    expect(scopes({ accountCreatedAt: '2026-11-20T00:00:00.000Z', tier: 'paid' })[0]).toEqual([
      'account:account',
      25,
    ]);
  });
});

describe('a refusal', () => {
  const all = buildScopes(caller({ accountCreatedAt: '2026-11-20T00:00:00.000Z' }), now, coldLimits);

  it('names the full scope and the second at which it clears', () => {
    expect(scopeRefusal(all, 'account:account', now).data).toMatchObject({
      code: 'account_age_ramp',
      errorClass: 'QuotaExceeded',
      retryable: false,
      retryAfterSeconds: 1,
      message: expect.stringMatching(/25 new transcripts of today.*00:00 UTC/),
    });
    expect(scopeRefusal(all, 'key:slot', new Date('2026-11-20T00:00:00.000Z')).data).toMatchObject({
      code: 'cold_fetch_cap',
      retryAfterSeconds: 86_400,
      message: expect.stringContaining('100 new transcripts'),
    });
    const one = all.map((scope) => ({ ...scope, limit: 1 }));
    expect(scopeRefusal(one, 'key:slot', now).data.message).toBe(
      'This key has begun its 1 new transcript of today. More at 00:00 UTC.',
    );
  });

  it('of a pool has the code of that pool', () => {
    for (const [name, code] of [
      ['pool:free', 'free_pool_cap'],
      ['pool:global', 'global_cold_cap'],
    ] as const)
      expect(scopeRefusal(all, name, now).data).toMatchObject({ code, retryAfterSeconds: 1 });
  });

  it('of an unknown scope is an internal error', () => {
    expect(() => scopeRefusal(all, 'key:another', now)).toThrow(/key:another/);
  });
});
