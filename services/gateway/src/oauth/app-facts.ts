const THIS_COMPUTER: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
/** Schemes that a browser or an operating system handles itself: an app cannot own them. */
const SYSTEM_SCHEMES: ReadonlySet<string> = new Set([
  ...['about', 'blob', 'data', 'file', 'filesystem', 'ftp', 'ftps', 'javascript', 'vbscript', 'ws', 'wss'],
  ...['feed', 'jar', 'mhtml', 'mk', 'res', 'resource', 'view-source', 'content', 'intent', 'market'],
  ...['android-app', 'package', 'prefs', 'app-settings', 'shortcuts', 'workflow', 'applescript', 'search'],
  ...['callto', 'facetime', 'geo', 'mailto', 'maps', 'sip', 'sips', 'sms', 'smsto', 'tel', 'webcal'],
  ...['imap', 'ldap', 'ldaps', 'news', 'nntp', 'pop', 'rdp', 'rtsp', 'sftp', 'smb', 'ssh', 'telnet', 'vnc'],
  ...['calculator', 'hcp', 'help', 'magnet', 'shell', 'x-man-page'],
]);
/** Families of them, such as `ms-msdt`, `search-ms`, `chrome-extension` and `itms-services`. */
const SYSTEM_FAMILIES = /^(?:ms-|microsoft-|chrome|moz-|edge|opera|brave|safari|itms|x-apple|web\+)|-ms$/;
const MAX_SCHEME_LENGTH = 64;

/** RFC 8252, 7.1 asks for the name of a domain. Editors have short schemes. */
const isOwnScheme = (scheme: string): boolean =>
  scheme.length <= MAX_SCHEME_LENGTH && !SYSTEM_SCHEMES.has(scheme) && !SYSTEM_FAMILIES.test(scheme);

/** Whether codes may go there: to a site by https, to this computer, or to an app that owns a scheme (RFC 8252). */
export const isAllowedRedirect = (uri: unknown): uri is string => {
  if (typeof uri !== 'string') return false;
  const url = URL.parse(uri);
  if (url === null || url.username !== '' || url.password !== '' || uri.includes('#')) return false;
  if (url.protocol === 'https:') return true;
  if (url.protocol === 'http:') return THIS_COMPUTER.includes(url.hostname);
  return isOwnScheme(url.protocol.slice(0, -1));
};

const LOOPBACK = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?:\/|(?=\?|$))/i;

/** An address of this computer without its port, which a program chooses anew each time (RFC 8252, 7.3). */
const withoutPort = (uri: string): string => uri.replace(LOOPBACK, '$1/');

/** Whether an app has registered the address, whatever kind of app it says it is. */
export const isRegisteredRedirect = (redirectUris: readonly string[], uri: unknown): boolean =>
  isAllowedRedirect(uri) && redirectUris.some((one) => one === uri || withoutPort(one) === withoutPort(uri));

type Metadata = Record<string, unknown>;

/** The library's name and time of an app, and what this server reads of it. */
const PUBLIC_FIELDS: ReadonlySet<string> = new Set([
  ...['client_id', 'client_id_issued_at', 'client_name', 'redirect_uris', 'application_type'],
]);

/**
 * Makes an app what this server takes, whatever it asks to be: apps ask for grants, scopes and keys of other servers, too. The answer to its
 * registration says what it is (RFC 7591, 3.2.1).
 */
export const makePublic = (metadata: Metadata): void => {
  for (const name of Object.keys(metadata)) if (!PUBLIC_FIELDS.has(name)) delete metadata[name];
  if (typeof metadata.client_name !== 'string' || metadata.client_name === '') delete metadata.client_name;
  if (metadata.application_type !== 'native') metadata.application_type = 'web';
};

const MAX_NAME_LENGTH = 64;
/**
 * Controls, marks of direction and characters that show nothing: a name must not look like another one, or like text of ours. Unicode
 * calls the fillers of Hangul letters, and the empty Braille cell a symbol.
 */
const HIDDEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u{1D159}]/gu;
/** A mark needs a letter to be seen. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

const toDisplayName = (name: string): string => {
  const text = name.replaceAll(HIDDEN, ' ').replaceAll(/\s+/g, ' ').trim();
  return VISIBLE.test(text)
    ? [...text]
        .slice(0, MAX_NAME_LENGTH / 2)
        .join('')
        .trim()
    : '';
};

/** Where the code goes, which an app cannot choose freely: a host, this computer, or a scheme with its colon. */
const placeOf = (redirectUri: string): string => {
  const { protocol, hostname } = new URL(redirectUri);
  if (protocol !== 'https:' && protocol !== 'http:') return protocol;
  return THIS_COMPUTER.includes(hostname) ? 'localhost' : hostname;
};

/** What the holder reads of an app: the name that it gives itself, and the place that gets the code. */
export const appFacts = (clientName: string | undefined, redirectUri: string) => {
  const host = placeOf(redirectUri);
  return { name: toDisplayName(clientName ?? '') || host, host };
};
