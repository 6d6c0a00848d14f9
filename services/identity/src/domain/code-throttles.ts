import { type ServiceError, serviceError } from '@tds/contracts';
import { type Caller, type Hit, longestWait, type NetworkLimits, type Throttle } from './throttles.ts';
import { DAY_MS, HOUR_MS } from './time.ts';

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
