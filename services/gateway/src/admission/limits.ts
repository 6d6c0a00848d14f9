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

/**
 * The name under which requests count in their minute: the access tokens of a connection are those of one key, and the keys of all sessions of
 * an account are one, as in its day.
 */
export const counterOf = (
  { keyId, limitId, isOfSession }: Pick<Principal, 'keyId' | 'limitId' | 'isOfSession'>,
  digest: string,
): string => (isOfSession ? limitId : null) ?? keyId ?? digest;
