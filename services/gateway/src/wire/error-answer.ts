import { toServiceError } from '@tds/base';
import { type ErrorCode, ServiceError, serviceError } from '@tds/errors';
import { type ErrorEnvelope, type Route, routes, toEnvelope } from '@tds/http-api';
import { hasBegunNothing } from '@tds/kit';
import { type Answer, jsonAnswer } from './answer.ts';
import type { Exchange } from './exchange.ts';

/** Codes that leave open whether the request took effect. All other codes are about the request itself. */
const uncertainCodes: Partial<Record<ErrorCode, string>> = {
  service_unavailable: 'A part of the service is not reachable, or did not answer in time.',
  unexpected_error: 'Something went wrong on our side.',
};

const rows: readonly Route[] = Object.values(routes);
const findRow = (id: string): Route | undefined => rows.find((row) => row.id === id);

const isAt = (path: string, parent: string): boolean => path === parent || path.startsWith(`${parent}/`);

/** The path where a caller sees the effect: the nearest GET route at the same path or above it. */
const findReadingRoute = ({ path, outcomeAt = path }: Route): string | undefined =>
  rows
    .filter((row) => row.method === 'GET' && isAt(outcomeAt, row.path))
    .toSorted((one, other) => other.path.length - one.path.length)[0]?.path;

const describeNextStep = (row: Route, hasIdempotencyKey: boolean): string => {
  if (row.takesIdempotencyKey && hasIdempotencyKey)
    return 'Repeat it with the same Idempotency-Key: it takes effect once, and the answer says so.';
  const path = findReadingRoute(row);
  return path === undefined ? 'It may be repeated.' : `GET ${path} shows whether it has, before you repeat it.`;
};

type RequestState = {
  readonly exchange: Pick<Exchange, 'route' | 'hasBegun' | 'isWaived'>;
  readonly hasIdempotencyKey: boolean;
};

const describeOutcome = (error: ServiceError, { exchange, hasIdempotencyKey }: RequestState): string => {
  const row = findRow(exchange.route);
  if (row === undefined || !exchange.hasBegun || hasBegunNothing(error))
    return 'Nothing was begun, and nothing was charged. Retry.';
  if (exchange.isWaived) return 'It costs nothing: a credit that was charged for it is given back. Retry.';
  if (row.method === 'GET' || row.changesNothing) return 'This request has charged nothing. Retry.';
  return `The request may have taken effect. ${describeNextStep(row, hasIdempotencyKey)}`;
};

/** Adds to the message whether the request took effect, and what the caller can do. */
export const withOutcome = (error: ServiceError, request: RequestState): ServiceError => {
  const description = uncertainCodes[error.code];
  if (description === undefined) return error;
  const message = `${description} ${describeOutcome(error, request)}`;
  return new ServiceError({ ...error.data, message }, error.cause);
};

const UNAUTHORIZED = 401;
const TOO_MANY_REQUESTS = 429;
/**
 * RFC 9110 requires a challenge with every 401 and defines none for cookies. Browsers show no password dialog
 * for this one.
 */
const COOKIE_CHALLENGE = 'Cookie realm="dashboard", cookie-name="svc_dashboard"';
/** RFC 9728 */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';
/** Where an app reads how to connect (RFC 9728), and what is wrong with its token (RFC 6750). */
const bearerChallenge = ({ code, needed_scopes: scopes = [] }: ErrorEnvelope, publicUrl: string): string => {
  const faults: Partial<Record<ErrorCode, string>> = {
    invalid_access_token: 'error="invalid_token", ',
    insufficient_scope: `error="insufficient_scope", scope="${scopes.join(' ')}", `,
  };
  return `Bearer ${faults[code] ?? ''}resource_metadata="${publicUrl}${RESOURCE_METADATA_PATH}${routes.sendMcpMessage.path}"`;
};

/** For throttles that give no time. */
const DEFAULT_RETRY_AFTER_SECONDS = 60;

const isClientFault = (thrown: unknown): boolean => {
  const { status } = thrown as { status?: unknown };
  return thrown instanceof URIError || (typeof status === 'number' && status >= 400 && status < 500);
};

/** Converts any thrown value. Express's own errors are about malformed addresses. */
export const asServiceError = (thrown: unknown): ServiceError => {
  const error = toServiceError(thrown);
  if (error === thrown || thrown === null || typeof thrown !== 'object') return error;
  // Drop the cause: it quotes the address, and logs contain no text of callers.
  return isClientFault(thrown) ? serviceError('malformed_request') : error;
};

/** Adds what became of the request, and the support address if the account is frozen. */
export const describeError = (
  error: ServiceError,
  request: RequestState,
  supportEmail: string,
): ServiceError =>
  error.code === 'account_frozen'
    ? new ServiceError({ ...error.data, extras: { support_email: supportEmail } }, error.cause)
    : withOutcome(error, request);

const retryAfterSeconds = (error: ServiceError): number | undefined =>
  error.data.retryAfterSeconds ??
  (error.status === TOO_MANY_REQUESTS ? DEFAULT_RETRY_AFTER_SECONDS : undefined);

const buildChallenge = (envelope: ErrorEnvelope, publicUrl: string): string =>
  envelope.code === 'session_required' ? COOKIE_CHALLENGE : bearerChallenge(envelope, publicUrl);

/** The error envelope and its headers. retry_after comes with Retry-After, allow with Allow. */
export const errorAnswer = (error: ServiceError, requestId: string, publicUrl: string): Answer => {
  const seconds = retryAfterSeconds(error);
  const envelope = toEnvelope(error, requestId, publicUrl);
  const headers: string[] = [];
  if (seconds !== undefined) headers.push('Retry-After', String(seconds));
  // An app asks its holder for what it needs, if there is any.
  if (error.status === UNAUTHORIZED || envelope.needed_scopes?.length)
    headers.push('WWW-Authenticate', buildChallenge(envelope, publicUrl));
  if (envelope.allow !== undefined) headers.push('Allow', envelope.allow.join(', '));
  // The size that an unsatisfiable range has to fit into (RFC 9110, section 15.5.17).
  if (envelope.bytes !== undefined) headers.push('Content-Range', `bytes */${envelope.bytes}`);
  return jsonAnswer(error.status, seconds === undefined ? envelope : { ...envelope, retry_after: seconds }, {
    headers,
  });
};
