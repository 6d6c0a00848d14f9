import { hashTag, type Principal, type Tier, type TierLimits, tierLimits } from '@tds/contracts';

export type Limits = Pick<TierLimits, 'requestsPerMinute' | 'concurrentColdFetches' | 'cacheReadsPerDay'>;

export const keyLimits: Readonly<Record<Tier, Limits>> = tierLimits;

/** Per session, for any tier: more than a person needs, and little for a script. */
export const SESSION_REQUESTS_PER_MINUTE = 120;

export const WINDOW_MS = 60_000;

export const findRequestLimit = ({ keyId, tier }: Principal, limits: Readonly<Record<Tier, Limits>>): number =>
  keyId === null ? SESSION_REQUESTS_PER_MINUTE : limits[tier].requestsPerMinute;

/** The name under which requests count in their minute: the access tokens of a connection are those of one key. */
export const counterOf = ({ keyId }: Pick<Principal, 'keyId'>, digest: string): string => keyId ?? digest;

/** The gateway's keys in Redis. All keys that one script touches have the account's hash tag. */
export const limitKeys = {
  /** Rate log of a key or a session. */
  rate: (accountId: string, counter: string): string => `gateway:rate:${hashTag(accountId)}:${counter}`,
  /** Cache reads of a UTC day; `reader` is the id under which they count. */
  reads: (accountId: string, day: string, reader: string): string =>
    `gateway:cached-reads:${hashTag(accountId)}:${day}:${reader}`,
  /** Leases on cold fetches. */
  cold: (slot: string): string => `gateway:cold:${slot}`,
  /** The minute of the first of an assistant's repeated calls. */
  toolCall: (digest: string): string => `gateway:tool-call:${digest}`,
  /** Waived requests to report. */
  waived: 'gateway:waived',
} as const;
