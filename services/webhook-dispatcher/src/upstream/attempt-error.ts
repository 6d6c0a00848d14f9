import type { AttemptError } from '@tds/contracts';
import { DestinationError, type DestinationFault } from '../domain/destination.ts';

const ofDestination: Readonly<Record<DestinationFault, AttemptError>> = {
  invalid: 'private_address',
  private: 'private_address',
  dns_failed: 'dns_failed',
  dns_empty: 'dns_empty',
};

/** How Node names what is wrong with the certificate or the handshake of somebody else. */
const tlsCode = /^(?:ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/;

/** Why no answer came. */
export const attemptErrorOf = (error: unknown): AttemptError => {
  if (error instanceof DestinationError) return ofDestination[error.fault];
  const { name = '', code = '' } = error as { name?: string; code?: string };
  if (name === 'TimeoutError' || (code.startsWith('UND_ERR_') && code.endsWith('_TIMEOUT'))) return 'timeout';
  if (name === 'AbortError') return 'interrupted';
  return tlsCode.test(code) ? 'tls' : 'connection';
};
