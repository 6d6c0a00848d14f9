import { type ServiceError, serviceError } from '@tds/contracts';
import { type KeyEnd, statusOf } from './api-key.ts';

/** Why a key may not change anything, or null. A key that was rotated or is being revoked may have leaked. */
export const refusedAsker = (asker: KeyEnd, now: Date): ServiceError | null => {
  const status = statusOf(asker, now);
  if (status === 'active') return null;
  return serviceError(status === 'revoking' ? 'key_is_ending' : 'invalid_api_key');
};
