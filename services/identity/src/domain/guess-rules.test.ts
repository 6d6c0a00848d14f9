import { describe, expect, it } from '@jest/globals';
import { CODE_LIFE_MS, deadCode, guessThrottles, LOCK_MS, lockOf, refusedGuess } from './guess-rules.ts';
import { DAY_MS, later } from './time.ts';

const now = new Date('2026-01-15T12:00:00.000Z');

describe('lockOf', () => {
  it('holds until the instant it names and not one millisecond longer', () => {
    const lockedUntil = later(now, LOCK_MS);
    expect(lockOf({ lockedUntil }, now)?.data).toMatchObject({ code: 'code_locked', retryAfterSeconds: 900 });
    expect(lockOf({ lockedUntil }, later(now, LOCK_MS - 1))?.data.retryAfterSeconds).toBe(1);
    expect(lockOf({ lockedUntil }, lockedUntil)).toBeNull();
  });
});

describe('refusedGuess', () => {
  const throttles = guessThrottles(
    'a@ex.com',
    { network: '203.0.113.0/24', device: null },
    { perHour: 20, perDay: 60 },
  );
  const hit = (scope: string, hits: number, startedMsAgo: number) => ({
    ...{ scope, hits, startedAt: later(now, -startedMsAgo) },
  });

  it('lets the fifth guess pass and locks the sixth until a quarter of an hour after the first', () => {
    expect(refusedGuess(throttles, [hit('guess-lock', 5, 0)], now)).toBeNull();
    expect(refusedGuess(throttles, [hit('guess-lock', 6, 60_000)], now)?.data).toMatchObject({
      ...{ code: 'code_locked', retryAfterSeconds: 840 },
    });
  });

  it('names the wait that clears all of them', () => {
    const hits = [hit('guess-lock', 6, 0), hit('guess-day', 21, 3_600_000), hit('guess-network-hour', 21, 0)];
    expect(refusedGuess(throttles, hits, now)?.data).toMatchObject({
      ...{ code: 'verify_rate_limited', retryAfterSeconds: 23 * 3_600 },
    });
  });
});

describe('deadCode', () => {
  const found = { lockedUntil: null, usedAt: null, expiresAt: later(now, CODE_LIFE_MS), isCounted: false };

  it('is none that was counted, for that was to be had', () => {
    expect(deadCode({ ...found, isCounted: true }, now)).toBeNull();
  });

  it('is expired after ten minutes, and used also after that', () => {
    expect(deadCode(found, later(now, CODE_LIFE_MS))?.code).toBe('code_expired');
    expect(deadCode({ ...found, usedAt: now }, now)?.code).toBe('code_used');
    expect(deadCode({ ...found, usedAt: now }, later(now, DAY_MS))?.code).toBe('code_used');
  });

  it('is locked before all else', () => {
    const locked = { ...found, lockedUntil: later(now, LOCK_MS) };
    expect(deadCode(locked, later(now, CODE_LIFE_MS))?.code).toBe('code_locked');
    expect(deadCode(found, now)?.data).toMatchObject({ code: 'code_locked', retryAfterSeconds: 1 });
  });
});
