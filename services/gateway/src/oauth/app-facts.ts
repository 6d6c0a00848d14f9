const THIS_COMPUTER: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
/** Schemes that a browser would run, show or save itself. */
const BROWSER_SCHEMES: readonly string[] = [
  ...['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'filesystem:', 'view-source:'],
  ...['ws:', 'wss:', 'ftp:', 'mailto:'],
];

/** Whether codes may go there: to a site by https, to this computer, or to an app that owns a scheme (RFC 8252). */
export const isAllowedRedirect = (uri: unknown): boolean => {
  if (typeof uri !== 'string') return false;
  const url = URL.parse(uri);
  if (url === null || url.username !== '' || url.password !== '' || uri.includes('#')) return false;
  if (url.protocol === 'https:') return true;
  if (url.protocol === 'http:') return THIS_COMPUTER.includes(url.hostname);
  return !BROWSER_SCHEMES.includes(url.protocol);
};

type Metadata = Record<string, unknown>;

const isWeb = (uri: string): boolean => /^https?:/i.test(uri);

/**
 * Makes an app what this server takes, whatever it asks to be: the answer to its registration says so (RFC 7591, 3.2.1). One with a scheme
 * of its own is native.
 */
export const makePublic = (metadata: Metadata, redirectUris: readonly string[]): void => {
  metadata.token_endpoint_auth_method = 'none';
  delete metadata.client_secret;
  delete metadata.client_secret_expires_at;
  if (!redirectUris.every(isWeb)) metadata.application_type = 'native';
};

const MAX_NAME_LENGTH = 64;
/** Controls, marks of direction and invisible characters: a name must not look like another one, or like text of ours. */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** What the holder reads of an app: the name that it gives itself, and the host that gets the code, which it cannot choose freely. */
export const appFacts = (clientName: string | undefined, redirectUri: string) => {
  const { protocol, hostname } = new URL(redirectUri);
  const isSite = protocol === 'https:' || protocol === 'http:';
  const host = isSite ? hostname : protocol.slice(0, -1);
  const name = (clientName ?? '').replaceAll(UNSHOWN, ' ').replaceAll(/\s+/g, ' ').trim();
  const shown = [...name]
    .slice(0, MAX_NAME_LENGTH / 2)
    .join('')
    .trim();
  return { name: shown === '' ? host : shown, host: THIS_COMPUTER.includes(hostname) ? 'localhost' : host };
};
