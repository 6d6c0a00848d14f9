import { type ServiceError, serviceError } from '@tds/contracts';
import { type Caller, type Hit, longestWait, type NetworkLimits, type Throttle } from './throttles.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, secondsUntil } from './time.ts';

export const CODE_LIFE_MS = 10 * MINUTE_MS;
export const LOCK_MS = 15 * MINUTE_MS;
export const GUESSES_PER_CODE = 5;
/**
 * For one network or device at one address. Among a million codes, guessing all year round succeeds with a probability of 0.7 %.
 * From any number of networks it is 1.8 %, since strangers get ten codes a day with five guesses each.
 */
export const WRONG_GUESSES_PER_DAY = 20;

/**
 * What a guess counts against, whether or not there is a code to guess: so answers do not reveal that, and guesses from
 * elsewhere do not use up an owner's day. The order is the same for all, so that parallel requests never deadlock.
 */
export const guessThrottles = (
  email: string,
  { network, device }: Caller,
  limits: NetworkLimits,
): Throttle[] => {
  const subject = `${device ?? network} ${email}`;
  return [
    { scope: 'guess-lock', subject, limit: GUESSES_PER_CODE, windowMs: LOCK_MS },
    { scope: 'guess-day', subject, limit: WRONG_GUESSES_PER_DAY, windowMs: DAY_MS },
    { scope: 'guess-network-hour', subject: network, limit: limits.perHour, windowMs: HOUR_MS },
    { scope: 'guess-network-day', subject: network, limit: limits.perDay, windowMs: DAY_MS },
  ];
};

/** Why a guess is not looked at, or null: the longest wait among the throttles that are full. */
export const refusedGuess = (
  throttles: readonly Throttle[],
  hits: readonly Hit[],
  now: Date,
): ServiceError | null => {
  const wait = longestWait(throttles, hits, now);
  if (wait === null) return null;
  const { scope, retryAfterSeconds } = wait;
  return serviceError(scope === 'guess-lock' ? 'code_locked' : 'verify_rate_limited', { retryAfterSeconds });
};

/** The lock in force on the address, or null. */
export const lockOf = (
  { lockedUntil }: { readonly lockedUntil: Date | null },
  now: Date,
): ServiceError | null =>
  lockedUntil !== null && lockedUntil > now
    ? serviceError('code_locked', { retryAfterSeconds: secondsUntil(lockedUntil, now) })
    : null;

/** A code that cannot be used any more. */
export type DeadCode = {
  /** For this guesser: strangers and known browsers are locked out separately. */
  readonly lockedUntil: Date | null;
  readonly usedAt: Date | null;
};

/** What is wrong with a dead code that was guessed right: locked, used, or else expired. */
export const deadCode = (code: DeadCode, now: Date): ServiceError =>
  lockOf(code, now) ?? serviceError(code.usedAt === null ? 'code_expired' : 'code_used');
