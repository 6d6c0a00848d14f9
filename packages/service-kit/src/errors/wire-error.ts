import { ServiceError, serviceError } from '@tds/contracts';
import { isDatabaseAway } from '../db/sql-state.ts';

const RETRY_AFTER_SECONDS = 1;

/** What a caller gets for anything thrown: a database that is away or full is a 503, what nobody foresaw a 500. */
export const toWireError = (thrown: unknown): ServiceError => {
  if (thrown instanceof ServiceError) return thrown;
  return isDatabaseAway(thrown)
    ? serviceError('service_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS, cause: thrown })
    : serviceError('unexpected_error', { cause: thrown });
};
