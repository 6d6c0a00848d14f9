import { type Tier, type TierLimits, tierLimits } from '@tds/contracts';

export type Limits = Pick<TierLimits, 'requestsPerMinute' | 'concurrentColdFetches' | 'cacheReadsPerDay'>;

export const keyLimits: Readonly<Record<Tier, Limits>> = tierLimits;

/** Of one session, whatever the account's tier: far more than a person needs, and as little as a script may have. */
export const SESSION_REQUESTS_PER_MINUTE = 120;

export const WINDOW_MS = 60_000;
