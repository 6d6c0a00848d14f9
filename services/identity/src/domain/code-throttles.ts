import { type ServiceError, serviceError } from '@tds/contracts';
import { DAY_MS, HOUR_MS, later, secondsUntil } from './time.ts';

const CODES_PER_HOUR = 3;
const CODES_PER_DAY = 10;
/** With the ten that all others have, 30 mails a day to one address. More than one device has: none uses up all of them. */
const CODES_OF_ALL_DEVICES_PER_DAY = 20;

/** At most `limit` hits of one subject in a window that begins with its first hit. */
export type Throttle = {
  readonly scope: string;
  readonly subject: string;
  readonly limit: number;
  readonly windowMs: number;
};
export type Hit = { readonly scope: string; readonly startedAt: Date; readonly hits: number };
export type NetworkLimits = { readonly perHour: number; readonly perDay: number };

/** Who asks or guesses: `device` is the name of a browser that is known at the address, null for all others. */
export type Caller = { readonly network: string; readonly device: string | null };

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
 * What asking for a code counts against: strangers never use up what a known browser has. The order is the same for all, so
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

/** The refusal that clears last, or null. */
export const throttled = (
  throttles: readonly Throttle[],
  hits: readonly Hit[],
  now: Date,
): ServiceError | null => {
  const waits = throttles.flatMap(({ scope, limit, windowMs }) => {
    const hit = hits.find((one) => one.scope === scope);
    return hit && hit.hits > limit ? [secondsUntil(later(hit.startedAt, windowMs), now)] : [];
  });
  return waits.length > 0
    ? serviceError('signup_rate_limited', { retryAfterSeconds: Math.max(...waits) })
    : null;
};
