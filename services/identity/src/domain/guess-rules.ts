import { type ServiceError, serviceError } from '@tds/contracts';
import { DAY_MS, later, MINUTE_MS, secondsUntil } from './time.ts';

export const CODE_LIFE_MS = 10 * MINUTE_MS;
export const LOCK_MS = 15 * MINUTE_MS;
export const GUESSES_PER_CODE = 5;
/** With a million codes this leaves an attacker who never rests 0.7 % in a year. */
export const WRONG_GUESSES_PER_DAY = 20;

/** The guesses at an address's codes, as far as they decide about the next one. */
export type GuessCount = {
  readonly lockedUntil: Date | null;
  readonly dayStartedAt: Date | null;
  readonly dayGuesses: number;
};

/** The lock in force on the address, or null. */
export const lockOf = ({ lockedUntil }: Pick<GuessCount, 'lockedUntil'>, now: Date): ServiceError | null =>
  lockedUntil !== null && lockedUntil > now
    ? serviceError('code_locked', { retryAfterSeconds: secondsUntil(lockedUntil, now) })
    : null;

/** Why a guess was not evaluated. */
export const refusedGuess = (count: GuessCount | null, now: Date): ServiceError => {
  if (count === null) return serviceError('code_not_found');
  const lock = lockOf(count, now);
  if (lock) return lock;
  const dayEnds = count.dayStartedAt && later(count.dayStartedAt, DAY_MS);
  if (dayEnds && dayEnds > now && count.dayGuesses >= WRONG_GUESSES_PER_DAY) {
    return serviceError('verify_rate_limited', { retryAfterSeconds: secondsUntil(dayEnds, now) });
  }
  // Another request has lifted the lock since the guess was refused.
  return serviceError('code_locked', { retryAfterSeconds: 1 });
};

/** What is wrong with a code that was guessed right, or null. Expiry counts from the instant it names. */
export const deadCode = (
  code: { readonly usedAt: Date | null; readonly expiresAt: Date },
  now: Date,
): ServiceError | null => {
  if (code.usedAt !== null) return serviceError('code_used');
  return code.expiresAt <= now ? serviceError('code_expired') : null;
};
