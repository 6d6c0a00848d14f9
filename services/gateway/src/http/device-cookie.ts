import { digestSecret, type KnownDevice } from '@tds/contracts';
import { ownCookie } from './own-cookie.ts';

const cookie = ownCookie('svc_device', '/v1/auth');
const YEAR_SECONDS = 365 * 24 * 3_600;
const secretAndProof = /^([A-Za-z0-9_-]{43})\.([A-Za-z0-9_-]{52})$/;

/** What the cookie says of the browser, for identity to judge; of several cookies none counts. */
export const readDeviceCookie = (header: string | undefined): KnownDevice | undefined => {
  const found = cookie.read(header);
  const [, secret, proof] = (found.kind === 'one' && secretAndProof.exec(found.value)) || [];
  return secret && proof ? { digest: digestSecret(secret), proof } : undefined;
};

/** Identity looks at the age, too. */
export const deviceSetCookie = (secret: string, proof: string, secure: boolean): string =>
  cookie.set(`${secret}.${proof}`, YEAR_SECONDS, secure);
