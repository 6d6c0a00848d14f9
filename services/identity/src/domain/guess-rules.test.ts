import { describe, expect, it } from '@jest/globals';
import { DAY_MS } from '@tds/contracts';
import { deadCodeError, guessThrottles, LOCK_MS, refusedGuess, toLockError } from './sign-in-code.ts';
import { later } from './time.ts';

const now = new Date('2026-01-15T12:00:00.000Z');

describe('lockOf', () => {
  it('holds until the instant it gives, to the millisecond', () => {
    const lockedUntil = later(now, LOCK_MS);
    expect(toLockError({ lockedUntil }, now)?.data).toMatchObject({
      code: 'code_locked',
      retryAfterSeconds: 900,
    });
    expect(toLockError({ lockedUntil }, later(now, LOCK_MS - 1))?.data.retryAfterSeconds).toBe(1);
    expect(toLockError({ lockedUntil }, lockedUntil)).toBeNull();
  });
});

describe('refusedGuess', () => {
  const throttles = guessThrottles(
    'a@ex.com',
    { network: '203.0.113.0/24', device: null },
    { perHour: 20, perDay: 60 },
  );
  const hit = (scope: string, hits: number, startedMsAgo: number) => ({
    scope,
    hits,
    startedAt: later(now, -startedMsAgo),
  });

  it('accepts the fifth guess and locks the sixth until a quarter of an hour after the first', () => {
    expect(refusedGuess(throttles, [hit('guess-lock', 5, 0)], now)).toBeNull();
    expect(refusedGuess(throttles, [hit('guess-lock', 6, 60_000)], now)?.data).toMatchObject({
      code: 'code_locked',
      retryAfterSeconds: 840,
    });
  });

  it('gives the wait that clears all of them', () => {
    const hits = [hit('guess-lock', 6, 0), hit('guess-day', 21, 3_600_000), hit('guess-network-hour', 21, 0)];
    expect(refusedGuess(throttles, hits, now)?.data).toMatchObject({
      code: 'verify_rate_limited',
      retryAfterSeconds: 23 * 3_600,
    });
  });
});

describe('a dead code', () => {
  const found = { lockedUntil: null, usedAt: null };

  it('is expired, or used even after that', () => {
    expect(deadCodeError(found, now).code).toBe('code_expired');
    expect(deadCodeError({ ...found, usedAt: now }, later(now, DAY_MS)).code).toBe('code_used');
  });

  it('is locked first of all, as long as the lock lasts', () => {
    const locked = { usedAt: now, lockedUntil: later(now, LOCK_MS) };
    expect(deadCodeError(locked, now).data).toMatchObject({ code: 'code_locked', retryAfterSeconds: 900 });
    expect(deadCodeError(locked, later(now, LOCK_MS)).code).toBe('code_used');
  });
});
