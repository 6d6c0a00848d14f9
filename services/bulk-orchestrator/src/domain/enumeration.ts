import { MINUTE_MS, SECOND_MS } from '@tds/contracts';
import type { ServiceError, ServiceErrorData } from '@tds/errors';
import type { Pause } from './job-state.ts';
import { MAX_WAIT_MS, outageWaitMs } from './outcomes.ts';

/** The outcome for a job whose source could not be listed. */
type ListingFailure =
  | { readonly kind: 'failed'; readonly error: Pick<ServiceErrorData, 'errorClass' | 'code'> }
  | { readonly kind: 'paused'; readonly pause: Pause; readonly troubleSince: Date | null };

/**
 * A daily limit or the budget pauses the job until it refills. The platform's failures pause it as long again as they have lasted, for at
 * most six hours. Any other error fails it.
 */
export const toListingFailure = (
  { data }: ServiceError,
  troubleSince: Date | null,
  now: Date,
): ListingFailure => {
  const { errorClass, code, retryable, retryAfterSeconds = null } = data;
  const at = (ms: number) => new Date(now.getTime() + ms);
  if (errorClass === 'QuotaExceeded' || errorClass === 'BudgetExhausted') {
    const reason = errorClass === 'QuotaExceeded' ? 'daily_limit' : 'budget_exhausted';
    const waitMs = retryAfterSeconds === null ? 10 * MINUTE_MS : retryAfterSeconds * SECOND_MS;
    return { kind: 'paused', pause: { reason, lookAt: at(Math.max(waitMs, SECOND_MS)) }, troubleSince };
  }
  const elapsedMs = troubleSince === null ? 0 : now.getTime() - troubleSince.getTime();
  if (!retryable || elapsedMs >= MAX_WAIT_MS) return { kind: 'failed', error: { errorClass, code } };
  const lookAt = at(outageWaitMs(elapsedMs));
  return {
    kind: 'paused',
    pause: { reason: 'platform_unavailable', lookAt },
    troubleSince: troubleSince ?? now,
  };
};
