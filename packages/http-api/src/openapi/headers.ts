import { type AnswerHeader, answerHeaders } from '../answer-headers.ts';
import type { Route } from '../define-route.ts';
import type { Json } from './schemas.ts';

const commonHeaders: readonly AnswerHeader[] = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'];
/** Where the caller was let in. */
const accountHeaders: readonly AnswerHeader[] = ['X-Credits-Charged', 'X-Credits-Balance'];
const byStatus: Readonly<Record<number, readonly AnswerHeader[]>> = {
  401: ['WWW-Authenticate', 'Set-Cookie'],
  405: ['Allow'],
  416: ['Content-Range'],
};
const FIRST_ERROR = 400;
const FORBIDDEN = 403;
const TOO_MANY_REQUESTS = 429;

const ref = (name: AnswerHeader): [string, Json] => [name, { $ref: `#/components/headers/${name}` }];

const listAccessHeaders = ({ access }: Route): readonly AnswerHeader[] => {
  if (access === 'public') return [];
  return access === 'session' ? accountHeaders : [...accountHeaders, 'X-RateLimit-Limit'];
};

const listReplayHeaders = ({ takesIdempotencyKey }: Route, status: number): readonly AnswerHeader[] =>
  takesIdempotencyKey && status < FIRST_ERROR ? ['Idempotency-Replayed'] : [];

/** Every throttle has it; other errors if they know when a retry may succeed. */
const retryAfter = (status: number): [string, Json][] => {
  if (status === TOO_MANY_REQUESTS)
    return [['Retry-After', { required: true, ...answerHeaders['Retry-After'] }]];
  return status < FIRST_ERROR ? [] : [ref('Retry-After')];
};

/** Of the refusals of 403 only that of a missing scope has one. */
const challenge = (status: number): [string, Json][] =>
  status === FORBIDDEN ? [['WWW-Authenticate', { ...answerHeaders['WWW-Authenticate'], required: false }]] : [];

/** The headers of a row's answer with this status; `own` are those that the row itself declares. */
export const responseHeaders = (row: Route, status: number, ownHeaders: readonly AnswerHeader[]): Json => {
  const names = [
    ...commonHeaders,
    ...listAccessHeaders(row),
    ...(byStatus[status] ?? []),
    ...listReplayHeaders(row, status),
    ...ownHeaders,
  ];
  return Object.fromEntries([...names.map(ref), ...retryAfter(status), ...challenge(status)]);
};
