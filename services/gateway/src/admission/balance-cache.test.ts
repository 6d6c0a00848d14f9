import { describe, expect, it } from '@jest/globals';
import type { Call } from '@tds/kit';
import type { Surface } from '../surface.ts';
import { createBalanceCache } from './balance-cache.ts';

const accountId = '0b0e5f0e-7d0a-4b43-9f5e-0d3f0f0a0001';
const projected = (month: string): string =>
  JSON.stringify({
    version: 1,
    value: { accountId, free: 40, purchased: 2, reserved: 1, version: 1, month },
  });
const neverCalled: Call<Surface> = () => Promise.reject(new Error('the ledger was asked'));

describe('the balance in an answer', () => {
  it('has the available credits: free and purchased ones without the reserved ones', () => {
    const balances = createBalanceCache(
      neverCalled,
      () => 0,
      () => new Date('2026-11-20T12:00:00Z'),
    );
    expect(balances.keepProjected(accountId, projected('2026-11'))).toBe(42);
  });

  it('is never that of a past month, even if it was read before the month ended', () => {
    let now = new Date('2026-11-30T23:59:59Z');
    const balances = createBalanceCache(
      neverCalled,
      () => 0,
      () => now,
    );
    expect(balances.keepProjected(accountId, projected('2026-11'))).toBe(42);
    now = new Date('2026-12-01T00:00:00Z');
    expect(balances.keepProjected(accountId, projected('2026-11'))).toBeNull();
  });
});
