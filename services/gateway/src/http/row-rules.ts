import { IDEMPOTENCY_KEY_HEADER, type Principal, parseIdempotencyKey, serviceError } from '@tds/contracts';
import { keyStatesOf, parseBody, parseQuery, type RawQuery, type Route } from '@tds/http-api';
import { memoize } from '../memoize.ts';
import type { GatewayRequest } from './exchange.ts';
import { createLargeBodies, readBody, readSignedBody } from './request-body.ts';

export type ParsedQuery = { readonly query: Record<string, unknown> | null; readonly error: unknown };

/** Parses a query once per string: the reader gives the same object for the same string. */
const createQueryParser = (row: Route): ((raw: RawQuery) => ParsedQuery) =>
  memoize((raw) => {
    try {
      return { query: parseQuery(row, raw), error: null };
    } catch (error) {
      // Thrown only after the caller is known: strangers learn nothing of the rules, and every answer has its headers.
      return { query: null, error };
    }
  });

type BodyParser = (request: GatewayRequest, principal: Principal | null) => Promise<Record<string, unknown>>;

/** A route that changes something and takes no field refuses every one: whoever sends one expects something of it. */
const createBodyParser = (
  { method, body, largestBodyBytes, signedBy }: Route,
  now: () => Date,
): BodyParser | null => {
  if (signedBy !== undefined)
    return (request) => readSignedBody(request, now(), { header: signedBy, largestBytes: largestBodyBytes });
  if (method === 'GET') return null;
  const parse = async (request: GatewayRequest) =>
    parseBody(body ?? {}, await readBody(request, largestBodyBytes));
  if (largestBodyBytes === undefined) return parse;
  const large = createLargeBodies();
  return (request, principal) =>
    principal === null ? parse(request) : large(principal.accountId, request, () => parse(request));
};

const idempotencyHeader = IDEMPOTENCY_KEY_HEADER.toLowerCase();

/**
 * Refuses what a frozen account would begin, and keys in a state that the row does not take, unless this may be a repeat: whether it is, its
 * owner knows.
 */
const createStateCheck = (row: Route) => {
  const states = keyStatesOf(row);
  return (principal: Principal | null, { headers }: GatewayRequest): void => {
    if (row.startsWork && principal?.status === 'frozen') throw serviceError('account_frozen');
    const state = principal?.keyState ?? 'active';
    if (states.includes(state)) return;
    const mayRepeat = row.endingKeysRepeat && headers[idempotencyHeader] !== undefined;
    if (!mayRepeat) throw serviceError('key_is_ending');
  };
};

/** Null if the row takes none: then nobody looks. */
const createIdempotencyReader = ({ takesIdempotencyKey }: Route) =>
  takesIdempotencyKey
    ? ({ headersDistinct }: GatewayRequest) => parseIdempotencyKey(headersDistinct[idempotencyHeader])
    : null;

/** What a row demands of a request, prepared once. */
export const rulesOf = (row: Route, now: () => Date) => {
  const parseRequestBody = createBodyParser(row, now);
  const readIdempotencyKey = createIdempotencyReader(row);
  return {
    parseQuery: createQueryParser(row),
    parseRequestBody,
    readIdempotencyKey,
    checkState: createStateCheck(row),
    /** Nothing of the request has to be waited for but its head. */
    isHeadEnough: parseRequestBody === null && readIdempotencyKey === null,
  };
};
export type RowRules = ReturnType<typeof rulesOf>;
