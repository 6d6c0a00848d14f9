import { type ServiceError, secondsToNextUtcDay, serviceError, type Tier, tierLimits } from '@tds/contracts';

const MS = 1_000;

/** What an account has of archives. */
export type Kept = { readonly bytes: number; readonly firstExpiresAt: Date | null };

/** Why an account that keeps so much may begin no archive; null if it may. A place comes free when the next one expires. */
export const refusedByBytes = (
  { bytes, firstExpiresAt }: Kept,
  tier: Tier,
  now: Date,
): ServiceError | null => {
  if (bytes < tierLimits[tier].archiveBytes) return null;
  const waitMs = (firstExpiresAt?.getTime() ?? 0) - now.getTime();
  return serviceError('archive_cap', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / MS)) });
};

export const refusedByDay = (now: Date): ServiceError =>
  serviceError('archive_cap', { retryAfterSeconds: secondsToNextUtcDay(now) });
