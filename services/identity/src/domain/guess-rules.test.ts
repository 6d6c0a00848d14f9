import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CODE_LIFE_MS, deadCode, LOCK_MS, lockOf, refusedGuess } from './guess-rules.ts';
import { DAY_MS, later } from './time.ts';

const now = new Date('2026-01-15T12:00:00.000Z');
const free = { lockedUntil: null, dayStartedAt: null, dayGuesses: 0 };

describe('lockOf', () => {
  it('holds until the instant it names and not one millisecond longer', () => {
    const lockedUntil = later(now, LOCK_MS);
    expect(lockOf({ lockedUntil }, now)?.data).toMatchObject({ code: 'code_locked', retryAfterSeconds: 900 });
    expect(lockOf({ lockedUntil }, later(now, LOCK_MS - 1))?.data.retryAfterSeconds).toBe(1);
    expect(lockOf({ lockedUntil }, lockedUntil)).toBeNull();
  });
});

describe('refusedGuess', () => {
  it.each([
    ['no code was ever asked for', null, 'code_not_found', undefined],
    ['the address is locked', { ...free, lockedUntil: later(now, 60_000) }, 'code_locked', 60],
    [
      'the day has had its wrong guesses',
      { ...free, dayStartedAt: later(now, -DAY_MS + 5_000), dayGuesses: 20 },
      'verify_rate_limited',
      5,
    ],
    ['the lock was lifted meanwhile', free, 'code_locked', 1],
  ])('says why: %s', (_why, count, code, retryAfterSeconds) => {
    expect(refusedGuess(count, now).data).toMatchObject({
      code,
      ...(retryAfterSeconds && { retryAfterSeconds }),
    });
  });

  it('always carries a wait of at least a second where it is a quota', () => {
    const time = fc.date({ min: later(now, -3 * DAY_MS), max: later(now, 3 * DAY_MS), noInvalidDate: true });
    const count = fc.record({
      lockedUntil: fc.option(time),
      dayStartedAt: fc.option(time),
      dayGuesses: fc.nat(30),
    });
    fc.assert(
      fc.property(count, (given) => {
        expect(refusedGuess(given, now).data.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      }),
    );
  });
});

describe('deadCode', () => {
  const live = { usedAt: null, expiresAt: later(now, CODE_LIFE_MS) };

  it('lets a code live for ten minutes', () => {
    expect(deadCode(live, now)).toBeNull();
    expect(deadCode(live, later(now, CODE_LIFE_MS - 1))).toBeNull();
    expect(deadCode(live, later(now, CODE_LIFE_MS))?.code).toBe('code_expired');
  });

  it('calls a used code used, also after it has expired', () => {
    expect(deadCode({ ...live, usedAt: now }, now)?.code).toBe('code_used');
    expect(deadCode({ ...live, usedAt: now }, later(now, DAY_MS))?.code).toBe('code_used');
  });
});
