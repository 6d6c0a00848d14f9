import { PlatformError } from '../errors/platform-error.ts';

/** True if the failure may be stored against the video for good. */
export const isDurableVideoFact = (error: unknown): boolean =>
  error instanceof PlatformError && error.fact.kind === 'durable';

/** Seconds for which a passing fact may be stored; null for any other. */
export const factTtlSeconds = (error: unknown): number | null =>
  error instanceof PlatformError && error.fact.kind === 'short_lived' ? error.fact.ttlSeconds : null;
