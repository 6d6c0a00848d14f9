import { type Principal, type Tier, type TierLimits, tierLimits } from '@tds/contracts';

/** Per key, by the tier of its account. */
export type KeyLimits = Readonly<
  Record<Tier, Pick<TierLimits, 'requestsPerMinute' | 'concurrentColdFetches' | 'cacheReadsPerDay'>>
>;
export const keyLimits: KeyLimits = tierLimits;

/** Per session, for any tier: more than a person needs, and little for a script. */
export const SESSION_REQUESTS_PER_MINUTE = 120;

export const WINDOW_MS = 60_000;

export const findRequestLimit = ({ keyId, tier }: Principal, limits: KeyLimits): number =>
  keyId === null ? SESSION_REQUESTS_PER_MINUTE : limits[tier].requestsPerMinute;

/** The name under which requests count in their minute: the access tokens of a connection are those of one key. */
export const counterOf = ({ keyId }: Pick<Principal, 'keyId'>, digest: string): string => keyId ?? digest;
