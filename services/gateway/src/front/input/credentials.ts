import { digestSecret, isAccessToken, isWellFormedCredential } from '@tds/contracts';
import { type ServiceError, serviceError } from '@tds/errors';
import { type Access, missingCredentialCode, type Route } from '@tds/http-api';
import { type Credential, type GatewayRequest, sessionCookie } from '../../wire/index.ts';

/** `none`: no Authorization header; `no-scheme`: a bare key; `malformed`: not exactly one Bearer credential. */
type Bearer =
  | { readonly kind: 'none' | 'malformed' | 'no-scheme' }
  | { readonly kind: 'token'; readonly token: string };

const scheme = 'bearer ';
const KEY_PREFIX = 'svc_live_';

/**
 * Reads the Authorization header. Node joins repeated headers with commas, so two never read as one
 * credential. The scheme is case-insensitive (RFC 9110, 11.1).
 */
export const readBearer = (header: string | undefined): Bearer => {
  if (header === undefined) return { kind: 'none' };
  if (header.startsWith(KEY_PREFIX)) return { kind: 'no-scheme' };
  if (header.slice(0, scheme.length).toLowerCase() !== scheme) return { kind: 'malformed' };
  const token = header.slice(scheme.length).trim();
  return token === '' ? { kind: 'malformed' } : { kind: 'token', token };
};

const DASHBOARD_HEADER = 'x-service-dashboard';
// Created once: attackers can trigger these at will, and a stack trace costs more than the rest of the
// refusal.
const refusals = {
  invalidKey: serviceError('invalid_api_key'),
  noScheme: serviceError('invalid_api_key', {
    message: 'Write "Bearer" and a blank before the key: Authorization: Bearer svc_live_...',
  }),
  missing_api_key: serviceError('missing_api_key'),
  authorization_required: serviceError('authorization_required'),
  endedToken: serviceError('invalid_access_token'),
  cookie: serviceError('cookie_not_accepted'),
  noSession: serviceError('session_required'),
  keyForSession: serviceError('session_required', {
    message: 'Only the session of a person may do this, not a key or an app: sign in at /dashboard.',
  }),
  twoSessions: serviceError('malformed_request', { message: 'Send one svc_dashboard cookie.' }),
  noDashboardHeader: serviceError('dashboard_header_required'),
};

/** What a connected app has to hear of a refused token: programs of apps refresh it for a 401 alone. */
export const asAppRefusal = (
  error: ServiceError,
  { headers }: Pick<GatewayRequest, 'headers'>,
): ServiceError => {
  if (error.code !== 'invalid_api_key') return error;
  const bearer = readBearer(headers.authorization);
  return bearer.kind === 'token' && isAccessToken(bearer.token) ? refusals.endedToken : error;
};

const readingMethods = new Set(['GET', 'HEAD']);

/** Hosts of assistants begin a sign-in at 401 alone, so a token of another server is an ended one there. */
const toTokenRefusal = (token: string, row: CheckedRow): ServiceError =>
  missingCredentialCode(row) === 'authorization_required' && !token.startsWith(KEY_PREFIX)
    ? refusals.endedToken
    : refusals.invalidKey;

const readKeyCredential = (request: GatewayRequest, row: CheckedRow): Credential | null => {
  const bearer = readBearer(request.headers.authorization);
  if (bearer.kind === 'none') return null;
  if (bearer.kind === 'no-scheme') throw refusals.noScheme;
  if (bearer.kind !== 'token') throw refusals.invalidKey;
  if (!isWellFormedCredential(bearer.token)) throw toTokenRefusal(bearer.token, row);
  return { kind: 'key', digest: digestSecret(bearer.token) };
};

/** Browsers send cookies by themselves, so changing requests need a header that other sites cannot send. */
const readSessionCredential = (request: GatewayRequest): Credential => {
  const cookie = sessionCookie.read(request.headers.cookie);
  if (cookie.kind === 'several') throw refusals.twoSessions;
  if (cookie.kind !== 'token') throw refusals.noSession;
  if (!readingMethods.has(request.method) && request.headers[DASHBOARD_HEADER] !== '1') {
    throw refusals.noDashboardHeader;
  }
  return { kind: 'session', digest: digestSecret(cookie.token) };
};

const readKeyOrSession = (request: GatewayRequest, row: CheckedRow): Credential => {
  const credential = readKeyCredential(request, row);
  if (credential) return credential;
  if (sessionCookie.read(request.headers.cookie).kind === 'none') throw refusals[missingCredentialCode(row)];
  return readSessionCredential(request);
};

const hasNoCredential = ({ headers }: GatewayRequest): boolean =>
  headers.authorization === undefined && sessionCookie.read(headers.cookie).kind === 'none';

type CheckedRow = Pick<Route, 'access' | 'tag'>;
type Reader = (request: GatewayRequest, row: CheckedRow) => Credential | null;

const readers: Record<Exclude<Access, 'public'>, Reader> = {
  anyone: (request, row) => (hasNoCredential(request) ? null : readKeyOrSession(request, row)),
  key: (request, row) => {
    const credential = readKeyCredential(request, row);
    if (credential) return credential;
    const cookie = sessionCookie.read(request.headers.cookie);
    throw cookie.kind === 'none' ? refusals[missingCredentialCode(row)] : refusals.cookie;
  },
  session: (request) => {
    // With a key and a cookie only the key counts, and a key has no session.
    if (request.headers.authorization !== undefined) {
      throw refusals.keyForSession;
    }
    return readSessionCredential(request);
  },
  'key-or-session': readKeyOrSession,
};

/**
 * Returns the request's credential after a check of its form; null on public routes, and if none is required
 * and none was sent.
 * Throws missing_api_key, authorization_required, invalid_api_key, cookie_not_accepted, session_required or
 * dashboard_header_required.
 */
export const readCredential = (request: GatewayRequest, row: CheckedRow): Credential | null =>
  row.access === 'public' ? null : readers[row.access](request, row);
