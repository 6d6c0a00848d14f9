import { answerHeaders, type Route } from '@tds/http-api';
import type { Exchange, GatewayRequest } from '../wire/index.ts';

const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const PREFLIGHT_SECONDS = 7_200;

/**
 * Routes that pages of other sites may ask with a key or without a credential. Not sign-in and sessions; the assistant route checks the
 * origin itself.
 */
export const isOpenToSites = ({ access, tag, signedBy }: Route): boolean =>
  access !== 'session' && tag !== 'Sign-in' && tag !== 'Assistants' && signedBy === undefined;

const exposureHeaders = [
  ALLOW_ORIGIN,
  '*',
  'Access-Control-Expose-Headers',
  Object.keys(answerHeaders)
    .filter((name) => name !== 'Set-Cookie')
    .join(', '),
];

/**
 * Lets a page of another site read the answer, unless cookies came with the request. Browsers never show an answer for `*` to a page that
 * sent credentials of the browser.
 */
export const crossOriginHeaders = (
  { headers }: Pick<GatewayRequest, 'headers'>,
  { isOpen }: Pick<Exchange, 'isOpen'>,
  ownHeaders: readonly string[] = [],
): readonly string[] =>
  headers.origin === undefined || headers.cookie !== undefined || !isOpen || ownHeaders.includes(ALLOW_ORIGIN)
    ? []
    : exposureHeaders;

/** The answer to a preflight: no cookie, and not the header that changes with a session need. */
export const preflightHeaders = (methods: readonly string[]): readonly string[] => [
  ...[ALLOW_ORIGIN, '*', 'Access-Control-Allow-Methods', methods.join(', ')],
  'Access-Control-Allow-Headers',
  'Authorization, Content-Type, Idempotency-Key, If-None-Match, If-Range, Last-Event-ID, MCP-Protocol-Version, Range',
  ...['Access-Control-Max-Age', String(PREFLIGHT_SECONDS)],
];
