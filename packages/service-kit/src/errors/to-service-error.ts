import { ServiceError, serviceError } from '@tds/contracts';
import { isAway } from './is-away.ts';

const RETRY_AFTER_SECONDS = 1;

/** What a caller gets for anything thrown: a dependency that is away, late or full is a 503, what nobody foresaw a 500. */
export const toServiceError = (thrown: unknown): ServiceError => {
  if (thrown instanceof ServiceError) return thrown;
  return isAway(thrown)
    ? serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: thrown })
    : serviceError('unexpected_error', { cause: thrown });
};
