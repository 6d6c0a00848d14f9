import { createHmac, type KeyObject } from 'node:crypto';
import {
  codeProofText,
  type identity,
  type RequestOf,
  type ServiceError,
  serviceError,
} from '@tds/contracts';
import { type Caller, type Hit, longestWait, type NetworkLimits, type Throttle } from './throttles.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS, secondsUntil } from './time.ts';

const DIGITS = 6;
const BYTES = 6;

/**
 * The six digits of a challenge. Derived, so that no code is stored or sent over the bus: without the key it cannot
 * be computed. 48 bits modulo a million favour no code by more than one in 2^28.
 */
export const deriveSignInCode = (
  key: KeyObject,
  challenge: { challengeId: string; email: string },
): string => {
  const mac = createHmac('sha256', key).update(`${challenge.challengeId}|${challenge.email}`).digest();
  return String(mac.readUIntBE(0, BYTES) % 10 ** DIGITS).padStart(DIGITS, '0');
};

/** What callers prove codes with. */
type CodeMacs = { check(text: string, mac: string): string };

type Guessed = Pick<
  RequestOf<typeof identity.verifyCode>,
  'email' | 'codeProof' | 'sessionDigest' | 'keyDigest' | 'newDeviceDigest'
>;

/** Whether `expected` is the code that was meant, which its proof says without naming it. */
export const isRightGuess = (macs: CodeMacs, guessed: Guessed, expected: string): boolean =>
  macs.check(codeProofText({ ...guessed, code: expected }), guessed.codeProof) === 'right';

export const CODE_LIFE_MS = 10 * MINUTE_MS;
export const LOCK_MS = 15 * MINUTE_MS;
export const GUESSES_PER_CODE = 5;
/**
 * For one network or device at one address. Among a million codes, guessing all year round succeeds with a probability of 0.7 %.
 * From any number of networks it is 1.8 %, since strangers get ten codes a day with five guesses each.
 */
const WRONG_GUESSES_PER_DAY = 20;

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

const CODES_PER_HOUR = 3;
const CODES_PER_DAY = 10;
/** With the ten of strangers, 30 mails a day to one address. More than one device may have, so that none uses up all of them. */
const CODES_OF_ALL_DEVICES_PER_DAY = 20;

const ofStrangers = (email: string): Throttle[] => [
  { scope: 'address-hour', subject: email, limit: CODES_PER_HOUR, windowMs: HOUR_MS },
  { scope: 'address-day', subject: email, limit: CODES_PER_DAY, windowMs: DAY_MS },
];

const ofDevice = (email: string, device: string): Throttle[] => [
  { scope: 'device-hour', subject: `${device} ${email}`, limit: CODES_PER_HOUR, windowMs: HOUR_MS },
  { scope: 'device-day', subject: `${device} ${email}`, limit: CODES_PER_DAY, windowMs: DAY_MS },
  { scope: 'devices-day', subject: email, limit: CODES_OF_ALL_DEVICES_PER_DAY, windowMs: DAY_MS },
];

/**
 * What asking for a code counts against: strangers cannot use up what known browsers have. The order is the same for all, so
 * that parallel requests never deadlock.
 */
export const codeThrottles = (
  email: string,
  { network, device }: Caller,
  limits: NetworkLimits,
): Throttle[] => [
  ...(device === null ? ofStrangers(email) : ofDevice(email, device)),
  { scope: 'network-hour', subject: network, limit: limits.perHour, windowMs: HOUR_MS },
  { scope: 'network-day', subject: network, limit: limits.perDay, windowMs: DAY_MS },
];

/** Why no code is sent, or null: the longest wait among the throttles that are full. */
export const refusedCode = (
  throttles: readonly Throttle[],
  hits: readonly Hit[],
  now: Date,
): ServiceError | null => {
  const wait = longestWait(throttles, hits, now);
  return wait && serviceError('signup_rate_limited', { retryAfterSeconds: wait.retryAfterSeconds });
};
