import { ServiceError, serviceError, toEnvelope } from '@tds/contracts';
import { toServiceError } from '@tds/service-kit';
import { type Answer, jsonAnswer } from './answer.ts';

const UNAUTHORIZED = 401;
const TOO_MANY_REQUESTS = 429;
/** RFC 9110 wants a challenge with every 401, and has none for cookies: no browser asks for a password for this one. */
const CHALLENGE = 'Cookie realm="dashboard", cookie-name="svc_dashboard"';
/** If a throttle does not say when it clears. */
const DEFAULT_RETRY_AFTER_SECONDS = 60;

const isClientFault = (thrown: unknown): boolean => {
  const { status } = thrown as { status?: unknown };
  return thrown instanceof URIError || (typeof status === 'number' && status >= 400 && status < 500);
};

/** Any thrown value as the error that the caller sees; Express's own errors are about malformed addresses. */
export const asServiceError = (thrown: unknown): ServiceError => {
  const error = toServiceError(thrown);
  if (error === thrown || thrown === null || typeof thrown !== 'object') return error;
  // Without its cause, which quotes the address: the log has no stranger's text.
  return isClientFault(thrown) ? serviceError('malformed_request') : error;
};

/** Whatever service refuses a frozen account: its holder learns where to write. */
export const namingSupport = (error: ServiceError, supportEmail: string): ServiceError =>
  error.code === 'account_frozen'
    ? new ServiceError({ ...error.data, extras: { support_email: supportEmail } }, error.cause)
    : error;

const retryAfterSeconds = (error: ServiceError): number | undefined =>
  error.data.retryAfterSeconds ??
  (error.status === TOO_MANY_REQUESTS ? DEFAULT_RETRY_AFTER_SECONDS : undefined);

/** The envelope with its headers: retry_after and Retry-After always come together, as do allow and Allow. */
export const errorAnswer = (error: ServiceError, requestId: string, publicUrl: string): Answer => {
  const seconds = retryAfterSeconds(error);
  const envelope = toEnvelope(error, requestId, publicUrl);
  const headers: string[] = [];
  if (seconds !== undefined) headers.push('Retry-After', String(seconds));
  if (error.status === UNAUTHORIZED) headers.push('WWW-Authenticate', CHALLENGE);
  if (envelope.allow !== undefined) headers.push('Allow', envelope.allow.join(', '));
  // What an unsatisfiable range would have had to fit into (RFC 9110, section 15.5.17).
  if (envelope.bytes !== undefined) headers.push('Content-Range', `bytes */${envelope.bytes}`);
  return jsonAnswer(error.status, seconds === undefined ? envelope : { ...envelope, retry_after: seconds }, {
    headers,
  });
};
