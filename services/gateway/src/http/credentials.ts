import { digestSecret, isWellFormedApiKey, serviceError } from '@tds/contracts';
import type { Access, Route } from '@tds/http-api';
import { readSessionCookie } from './cookies.ts';
import type { Credential, GatewayRequest } from './exchange.ts';

/** `none`: no header; `malformed`: a header that carries no single Bearer credential. */
type Bearer = { readonly kind: 'none' | 'malformed' } | { readonly kind: 'token'; readonly token: string };

const none: Bearer = { kind: 'none' };
const malformed: Bearer = { kind: 'malformed' };
const scheme = 'bearer ';

/**
 * Reads the Authorization header. The server joins repeated headers with commas, so two of them never read as one
 * well-formed credential. The scheme's name has no case (RFC 9110, 11.1).
 */
export const readBearer = (header: string | undefined): Bearer => {
  if (header === undefined) return none;
  if (header.slice(0, scheme.length).toLowerCase() !== scheme) return malformed;
  const token = header.slice(scheme.length).trim();
  return token === '' ? malformed : { kind: 'token', token };
};

const DASHBOARD_HEADER = 'x-service-dashboard';
// Made once: strangers can have these thrown as often as they like, and stacks cost more than all the rest.
const refused = {
  invalidKey: serviceError('invalid_api_key'),
  missingKey: serviceError('missing_api_key'),
  cookie: serviceError('cookie_not_accepted'),
  noSession: serviceError('session_required'),
  keyForSession: serviceError('session_required', {
    message: 'This route takes a session cookie, not an API key.',
  }),
  twoSessions: serviceError('malformed_request', { message: 'Send one svc_dashboard cookie.' }),
  noDashboardHeader: serviceError('dashboard_header_required'),
};

const readingMethods = new Set(['GET', 'HEAD']);

const keyCredential = (request: GatewayRequest): Credential | null => {
  const bearer = readBearer(request.headers.authorization);
  if (bearer.kind === 'none') return null;
  if (bearer.kind !== 'token' || !isWellFormedApiKey(bearer.token)) throw refused.invalidKey;
  return { kind: 'key', digest: digestSecret(bearer.token) };
};

/** A cookie travels by itself, so what changes something asks for a header that no other site can send. */
const sessionCredential = (request: GatewayRequest): Credential => {
  const cookie = readSessionCookie(request.headers.cookie);
  if (cookie.kind === 'several') throw refused.twoSessions;
  if (cookie.kind !== 'token') throw refused.noSession;
  if (!readingMethods.has(request.method) && request.headers[DASHBOARD_HEADER] !== '1') {
    throw refused.noDashboardHeader;
  }
  return { kind: 'session', digest: digestSecret(cookie.token) };
};

const keyOrSession = (request: GatewayRequest): Credential => {
  const credential = keyCredential(request);
  if (credential) return credential;
  if (readSessionCookie(request.headers.cookie).kind === 'none') throw refused.missingKey;
  return sessionCredential(request);
};

const showsNone = ({ headers }: GatewayRequest): boolean =>
  headers.authorization === undefined && readSessionCookie(headers.cookie).kind === 'none';

const readers: Record<Exclude<Access, 'public'>, (request: GatewayRequest) => Credential | null> = {
  anyone: (request) => (showsNone(request) ? null : keyOrSession(request)),
  key: (request) => {
    const credential = keyCredential(request);
    if (credential) return credential;
    const cookie = readSessionCookie(request.headers.cookie);
    throw cookie.kind === 'none' ? refused.missingKey : refused.cookie;
  },
  session: (request) => {
    // With a key and a cookie the key alone counts, and a key has no session.
    if (request.headers.authorization !== undefined) {
      throw refused.keyForSession;
    }
    return sessionCredential(request);
  },
  'key-or-session': keyOrSession,
};

/**
 * Finds the credential that counts, without asking anybody: what is malformed is refused here. Null on public routes, and where
 * none is needed and none is shown.
 * Throws missing_api_key, invalid_api_key, cookie_not_accepted, session_required or dashboard_header_required.
 */
export const readCredential = (
  request: GatewayRequest,
  { access }: Pick<Route, 'access'>,
): Credential | null => (access === 'public' ? null : readers[access](request));
