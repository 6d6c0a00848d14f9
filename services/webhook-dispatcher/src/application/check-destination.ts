import type { Cipher } from '@tds/base';
import { type ErrorCode, serviceError } from '@tds/errors';
import { DestinationError, type DestinationFault } from '../domain/destination.ts';
import type { DestinationGuard } from '../upstream/destination-guard.ts';

const codes: Readonly<Record<Exclude<DestinationFault, 'invalid'>, ErrorCode>> = {
  private: 'webhook_url_private',
  dns_failed: 'webhook_dns_failed',
  dns_empty: 'webhook_dns_empty',
};

/** Returns the normalized URL. Throws `invalidCode`, or the code of what is wrong with its host. */
export const checkDestination = async (
  guard: DestinationGuard,
  url: string,
  invalidCode: 'webhook_url_invalid' | 'invalid_webhook_url',
): Promise<string> => {
  try {
    return (await guard.check(url)).href;
  } catch (error) {
    if (!(error instanceof DestinationError)) throw error;
    throw serviceError(error.fault === 'invalid' ? invalidCode : codes[error.fault]);
  }
};

/** Opens what a gateway has encrypted. Rejects what this process cannot open, as after a wrong key rotation. */
export const decryptOrReject = (cipher: Cipher, encrypted: string, owner: string): string => {
  try {
    return cipher.decrypt(encrypted, owner);
  } catch (cause) {
    throw serviceError('service_unavailable', { cause });
  }
};
