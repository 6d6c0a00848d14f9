import { keyState, role } from '@tds/contracts';
import type { ErrorCode } from '@tds/errors';
import { type Access, keyStatesOf, missingCredentialCode, type Route, rolesOf } from './define-route.ts';

const keyErrors: readonly ErrorCode[] = ['invalid_api_key', 'account_closed'];
const sessionErrors: readonly ErrorCode[] = ['session_required', 'dashboard_header_required'];

const accessErrors: Record<Access, readonly ErrorCode[]> = {
  public: [],
  anyone: [...keyErrors, ...sessionErrors, 'key_is_ending'],
  key: [...keyErrors, 'cookie_not_accepted'],
  session: sessionErrors,
  'key-or-session': [...keyErrors, ...sessionErrors],
};
/** Rates are kept per key, per session, per network that sends unknown credentials, and per connection. */
const commonErrors: readonly ErrorCode[] = [
  'rate_limit',
  'unknown_parameter',
  'key_in_query_string',
  'malformed_request',
  'method_not_allowed',
  'request_timeout',
  'headers_too_large',
  'unexpected_error',
  'service_unavailable',
];
const signedBodyErrors: readonly ErrorCode[] = [
  'payment_body_invalid_utf8',
  'payment_body_too_large',
  'payment_content_length_invalid',
  'unsupported_media_type',
];
const bodyErrors: readonly ErrorCode[] = ['invalid_json', 'unsupported_media_type', 'body_too_large'];

/** A key on its way out may not use every route. */
const stateErrors = (row: Route): readonly ErrorCode[] =>
  row.access.includes('key') && keyStatesOf(row).length < keyState.options.length ? ['key_is_ending'] : [];

const missingErrors = (row: Route): readonly ErrorCode[] =>
  row.access === 'key' || row.access === 'key-or-session' ? [missingCredentialCode(row)] : [];

/** What answers the access token of a connected app. */
const scopeErrors = ({ access }: Route): readonly ErrorCode[] =>
  access === 'public' || access === 'session' ? [] : ['invalid_access_token', 'insufficient_scope'];

/** A person may have none of the roles that it takes. */
const roleErrors = (row: Route): readonly ErrorCode[] =>
  row.access === 'public' || rolesOf(row).length === role.options.length ? [] : ['role_required'];

const capErrors = ({ uncapped }: Route): readonly ErrorCode[] => (uncapped ? ['uncapped_key_required'] : []);

const frozenErrors = ({ startsWork }: Route): readonly ErrorCode[] => (startsWork ? ['account_frozen'] : []);

const fieldErrors = ({ params, query, body }: Route): readonly ErrorCode[] =>
  [query, body ?? {}, params].flatMap((fields) => Object.values(fields).map(({ code }) => code));

const emptyBodyErrors = ({ emptyBodyCode }: Route): readonly ErrorCode[] =>
  emptyBodyCode === undefined ? [] : [emptyBodyCode];

const commandErrors = ({ calls, unreachable = [] }: Route): readonly ErrorCode[] =>
  calls.flatMap(({ errors }) => errors).filter((code) => !unreachable.includes(code));

/** Every code that a route can answer with. */
export const routeErrors = (row: Route): readonly ErrorCode[] => [
  ...new Set([
    ...fieldErrors(row),
    ...emptyBodyErrors(row),
    ...row.errors,
    ...commandErrors(row),
    ...accessErrors[row.access],
    ...missingErrors(row),
    ...stateErrors(row),
    ...scopeErrors(row),
    ...roleErrors(row),
    ...capErrors(row),
    ...frozenErrors(row),
    ...(row.method === 'GET' || row.signedBy ? [] : bodyErrors),
    ...(row.signedBy ? signedBodyErrors : []),
    ...(row.takesIdempotencyKey ? (['invalid_idempotency_key'] as const) : []),
    ...commonErrors,
  ]),
];
