import { type Tier, type TierLimits, tierLimits } from '@tds/contracts';

export type Limits = Pick<TierLimits, 'requestsPerMinute' | 'concurrentColdFetches' | 'cacheReadsPerDay'>;

export const keyLimits: Readonly<Record<Tier, Limits>> = tierLimits;

export const WINDOW_MS = 60_000;
