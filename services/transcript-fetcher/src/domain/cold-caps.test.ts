import { describe, expect, it } from 'vitest';
import { blockSize, coldLimits, poolRefusal, poolsOf, scopeRefusal, scopesOf } from './cold-caps.ts';

const now = new Date('2026-11-20T23:59:59.001Z');
const caller = (accountCreatedAt: string, tier: 'free' | 'paid' = 'free') => ({
  accountId: 'account',
  keyId: 'key',
  tier,
  accountCreatedAt,
});
const scopes = (createdAt: string, tier?: 'free' | 'paid') =>
  scopesOf(caller(createdAt, tier), now, coldLimits).map(({ name, most }) => [name, most]);

describe('where a cold fetch counts', () => {
  it('is its key, by tier', () => {
    expect(scopes('2026-01-01T00:00:00.000Z')).toEqual([['key:key', 100]]);
    expect(scopes('2026-01-01T00:00:00.000Z', 'paid')).toEqual([['key:key', 20_000]]);
  });

  it('is the first of the keys that came out of one another by rotation', () => {
    const successor = { ...caller('2026-01-01T00:00:00.000Z'), limitId: 'first' };
    expect(scopesOf(successor, now, coldLimits)).toMatchObject([{ name: 'key:first', most: 100 }]);
  });

  it('is the account, too, for its first 48 hours, whatever its tier', () => {
    const both = [
      ['account:account', 25],
      ['key:key', 100],
    ];
    expect(scopes('2026-11-20T23:59:59.001Z')).toEqual(both);
    expect(scopes('2026-11-18T23:59:59.002Z')).toEqual(both);
    expect(scopes('2026-11-18T23:59:59.001Z')).toEqual([['key:key', 100]]);
    expect(scopes('2026-11-20T00:00:00.000Z', 'paid')[0]).toEqual(['account:account', 25]);
  });

  it('is the global pool, and for free keys the free one before it', () => {
    expect(poolsOf('paid')).toEqual(['global']);
    expect(poolsOf('free')).toEqual(['free', 'global']);
  });

  it('is a pool in blocks of a fifth of a per cent', () => {
    const tiny = { ...coldLimits, pools: { free: 3, global: 3 } };
    expect([blockSize('global', coldLimits), blockSize('free', coldLimits)]).toEqual([100, 10]);
    expect(blockSize('free', tiny)).toBe(1);
  });
});

it('a refusal says what is full and when it clears, to the second', () => {
  const [ramp, key] = scopesOf(caller('2026-11-20T00:00:00.000Z'), now, coldLimits);
  if (!ramp || !key) throw new Error('both count');
  expect(scopeRefusal(ramp, now).data).toMatchObject({
    code: 'account_age_ramp',
    errorClass: 'QuotaExceeded',
    retryable: false,
    retryAfterSeconds: 1,
    message: expect.stringMatching(/25 cold fetches of today.*00:00 UTC/),
  });
  expect(scopeRefusal(key, new Date('2026-11-20T00:00:00.000Z')).data).toMatchObject({
    code: 'cold_fetch_cap',
    retryAfterSeconds: 86_400,
    message: expect.stringContaining('100 cold fetches'),
  });
  const { message } = scopeRefusal({ ...key, most: 1 }, now).data;
  expect(message).toBe('This key has begun its 1 cold fetch of today. More at 00:00 UTC.');
  expect(poolRefusal('free', now).data).toMatchObject({ code: 'free_pool_cap', retryAfterSeconds: 1 });
  expect(poolRefusal('global', now).data).toMatchObject({ code: 'global_cold_cap', retryAfterSeconds: 1 });
});
