import { hashTag, type Principal, type Tier, type TierLimits, tierLimits } from '@tds/contracts';

export type Limits = Pick<TierLimits, 'requestsPerMinute' | 'concurrentColdFetches' | 'cacheReadsPerDay'>;

export const keyLimits: Readonly<Record<Tier, Limits>> = tierLimits;

/** Of one session, whatever the account's tier: far more than a person needs, and as little as a script may have. */
export const SESSION_REQUESTS_PER_MINUTE = 120;

export const WINDOW_MS = 60_000;

export const perMinuteOf = ({ keyId, tier }: Principal, limits: Readonly<Record<Tier, Limits>>): number =>
  keyId === null ? SESSION_REQUESTS_PER_MINUTE : limits[tier].requestsPerMinute;

/** Where Redis counts. What one script touches together has its account's hash tag. */
export const limitKeys = {
  /** The last admissions of a credential. */
  rate: (accountId: string, digest: string): string => `gateway:rate:${hashTag(accountId)}:${digest}`,
  /** Cached reads of a UTC day; `reader` is the id under which they count. */
  reads: (accountId: string, day: string, reader: string): string =>
    `gateway:reads-by-key:${hashTag(accountId)}:${day}:${reader}`,
  /** The day since which Redis has counted reads of the account without forgetting any. */
  readsSince: (accountId: string): string => `gateway:reads-since:${hashTag(accountId)}:${accountId}`,
  /** Cold fetches that are waited for. */
  cold: (slot: string): string => `gateway:cold:${slot}`,
  /** Requests that cost nothing, which some gateway has yet to report. */
  disowned: 'gateway:disowned',
} as const;
