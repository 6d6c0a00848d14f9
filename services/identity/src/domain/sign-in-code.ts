import { createHmac, type KeyObject } from 'node:crypto';
import { codeProofText, DAY_MS, HOUR_MS, type identity, MINUTE_MS, type RequestOf } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import { mailboxOf } from './email-address.ts';
import { later, secondsUntil } from './time.ts';

/** At most `limit` hits of one subject in a window that begins with its first hit. */
export type Throttle = {
  readonly scope: string;
  readonly subject: string;
  readonly limit: number;
  readonly windowMs: number;
};
export type Hit = { readonly scope: string; readonly startedAt: Date; readonly hits: number };
type NetworkLimits = { readonly perHour: number; readonly perDay: number };

/** The caller of a sign-in: `device` is the name of a browser that is known to the address, or null. */
type Caller = { readonly network: string; readonly device: string | null };

/** The exceeded throttle that clears last, or null. */
export const longestWait = (
  throttles: readonly Throttle[],
  hits: readonly Hit[],
  now: Date,
): { readonly scope: string; readonly retryAfterSeconds: number } | null => {
  const waits = throttles.flatMap(({ scope, limit, windowMs }) => {
    const hit = hits.find((one) => one.scope === scope);
    return hit && hit.hits > limit ? [{ scope, clearsAt: later(hit.startedAt, windowMs) }] : [];
  });
  const [last] = waits.toSorted((one, other) => other.clearsAt.getTime() - one.clearsAt.getTime());
  return last ? { scope: last.scope, retryAfterSeconds: secondsUntil(last.clearsAt, now) } : null;
};

const DIGITS = 6;
const BYTES = 6;

/**
 * Derives the six digits of a challenge, so that no code is stored or sent over the bus. 48 bits modulo a million favour no code by more
 * than one in 2^28.
 */
export const deriveSignInCode = (key: KeyObject, challenge: { challengeId: string; email: string }): string => {
  const mac = createHmac('sha256', key).update(`${challenge.challengeId}|${challenge.email}`).digest();
  return String(mac.readUIntBE(0, BYTES) % 10 ** DIGITS).padStart(DIGITS, '0');
};

type CodeMacs = { check(text: string, mac: string): string };

type GuessedCode = Pick<
  RequestOf<typeof identity.verifyCode>,
  'email' | 'codeProof' | 'sessionDigest' | 'newDeviceDigest'
> & { readonly keyDigest?: string };

/** Whether the proof was made for the expected code. */
export const isRightGuess = (macs: CodeMacs, guess: GuessedCode, expected: string): boolean =>
  macs.check(codeProofText({ ...guess, code: expected }), guess.codeProof) === 'right';

export const CODE_LIFE_MS = 10 * MINUTE_MS;
export const LOCK_MS = 15 * MINUTE_MS;
export const GUESSES_PER_CODE = 5;
/**
 * For one network or device at one address. Guessing all year succeeds with a probability of 0.7 %; from any number of networks 1.8 %,
 * because unknown browsers get ten codes a day with five guesses each.
 */
const WRONG_GUESSES_PER_DAY = 20;

/**
 * The throttles of a guess, whether or not there is a code, so that answers reveal nothing. Guesses from elsewhere do not use up the owner's
 * day. The order is fixed, so that parallel requests never deadlock.
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

/** The rejection of a guess: the longest wait among the full throttles, or null. */
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

/** The rejection by the address's lock, or null. */
export const toLockError = (
  { lockedUntil }: { readonly lockedUntil: Date | null },
  now: Date,
): ServiceError | null =>
  lockedUntil !== null && lockedUntil > now
    ? serviceError('code_locked', { retryAfterSeconds: secondsUntil(lockedUntil, now) })
    : null;

/** A code that can no longer be used. */
export type DeadCode = {
  /** Of this caller: unknown and known browsers are locked out separately. */
  readonly lockedUntil: Date | null;
  readonly usedAt: Date | null;
};

/** The error for a right but dead code: locked, used, or expired. */
export const deadCodeError = (code: DeadCode, now: Date): ServiceError =>
  toLockError(code, now) ?? serviceError(code.usedAt === null ? 'code_expired' : 'code_used');

const CODES_PER_HOUR = 3;
const CODES_PER_DAY = 10;
/** With the ten of unknown browsers, 30 mails a day to one address, and 40 to one mailbox. More than one device may use, so that no device uses up all of them. */
const CODES_OF_ALL_DEVICES_PER_DAY = 20;

/** To all addresses of a mailbox together, which its tags would multiply. */
const CODES_PER_MAILBOX_PER_DAY = 20;

const ofUnknownDevices = (email: string): Throttle[] => [
  { scope: 'address-hour', subject: email, limit: CODES_PER_HOUR, windowMs: HOUR_MS },
  { scope: 'address-day', subject: email, limit: CODES_PER_DAY, windowMs: DAY_MS },
  { scope: 'mailbox-day', subject: mailboxOf(email), limit: CODES_PER_MAILBOX_PER_DAY, windowMs: DAY_MS },
];

const ofDevice = (email: string, device: string): Throttle[] => [
  { scope: 'device-hour', subject: `${device} ${email}`, limit: CODES_PER_HOUR, windowMs: HOUR_MS },
  { scope: 'device-day', subject: `${device} ${email}`, limit: CODES_PER_DAY, windowMs: DAY_MS },
  { scope: 'devices-day', subject: email, limit: CODES_OF_ALL_DEVICES_PER_DAY, windowMs: DAY_MS },
];

/**
 * The throttles of a request for a code. Unknown browsers cannot use up those of known ones. The order is fixed, so that parallel requests never
 * deadlock.
 */
export const codeThrottles = (
  email: string,
  { network, device }: Caller,
  limits: NetworkLimits,
): Throttle[] => [
  ...(device === null ? ofUnknownDevices(email) : ofDevice(email, device)),
  { scope: 'network-hour', subject: network, limit: limits.perHour, windowMs: HOUR_MS },
  { scope: 'network-day', subject: network, limit: limits.perDay, windowMs: DAY_MS },
];

/** The rejection of a request for a code: the longest wait among the full throttles, or null. */
export const refusedCode = (
  throttles: readonly Throttle[],
  hits: readonly Hit[],
  now: Date,
): ServiceError | null => {
  const wait = longestWait(throttles, hits, now);
  return wait && serviceError('signup_rate_limited', { retryAfterSeconds: wait.retryAfterSeconds });
};
