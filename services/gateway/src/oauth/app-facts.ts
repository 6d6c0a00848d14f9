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

/** The library's name and time of an app, and what this server reads of it. */
const KEPT: ReadonlySet<string> = new Set([
  ...['client_id', 'client_id_issued_at', 'client_name', 'redirect_uris', 'application_type'],
]);

/**
 * Makes an app what this server takes, whatever it asks to be: apps ask for grants, scopes and keys of other servers, too. The answer to its
 * registration says what it is (RFC 7591, 3.2.1). One with a scheme of its own is native.
 */
export const makePublic = (metadata: Metadata, redirectUris: readonly string[]): void => {
  for (const name of Object.keys(metadata)) if (!KEPT.has(name)) delete metadata[name];
  if (typeof metadata.client_name !== 'string' || metadata.client_name === '') delete metadata.client_name;
  const isNative = metadata.application_type === 'native' || !redirectUris.every(isWeb);
  metadata.application_type = isNative ? 'native' : 'web';
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
