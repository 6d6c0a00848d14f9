import { type ErrorCode, serviceError } from '@tds/contracts';
import { DestinationError, type DestinationFault } from '../domain/destination.ts';
import type { DestinationGuard } from '../upstream/destination-guard.ts';

type Codes = Readonly<Record<Exclude<DestinationFault, 'invalid'>, ErrorCode>>;

const codes: Codes = {
  private: 'webhook_url_private',
  dns_failed: 'webhook_dns_failed',
  dns_empty: 'webhook_dns_empty',
};

/** The address as it is saved. Throws `invalidCode` or what its host deserves. */
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
