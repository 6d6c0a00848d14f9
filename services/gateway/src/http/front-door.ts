import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { serviceError } from '@tds/contracts';
import { looksLikeKey, type RawQuery, readQuery } from '@tds/http-api';
import type { Express } from 'express';
import { LRUCache } from 'lru-cache';
import { readCredential } from './credentials.ts';
import { type Exchange, type GatewayRequest, type GatewayResponse, openExchange } from './exchange.ts';
import type { Finish } from './finish.ts';
import type { ServedRow } from './serve-route.ts';

const REMEMBERED = 10_000;
/** Of the whole address: what is remembered is a slice of it, which keeps all of it in memory. */
const LONGEST_REMEMBERED = 512;

/** Reads the query string of a URL; what passed once is remembered, for most reads repeat an earlier one. */
export const createQueryReader = (): ((url: string) => RawQuery | null) => {
  const known = new LRUCache<string, RawQuery>({ max: REMEMBERED });
  return (url) => {
    const mark = url.indexOf('?');
    if (mark === -1) return null;
    const search = url.slice(mark + 1);
    const before = known.get(search);
    if (before !== undefined) return before;
    const query = readQuery(search);
    if (url.length <= LONGEST_REMEMBERED) known.set(search, query);
    return query;
  };
};

/** Requests of one connection that wait for their answers: more than browsers and clients of ours ever pipeline. */
export const MOST_IN_FLIGHT = 16;

const state = Symbol('requests in flight');
type Flight = {
  inFlight: number;
  /** Requests that came behind the refused one. */
  ignored: number;
  isEnding: boolean;
};
type Counted = Socket & { [state]?: Flight };

const flightOf = (socket: Counted): Flight => {
  socket[state] ??= { inFlight: 0, ignored: 0, isEnding: false };
  return socket[state];
};

/** One function for all responses. */
function land(this: ServerResponse): void {
  const flight = (this.req.socket as Counted)[state];
  if (flight !== undefined) flight.inFlight -= 1;
}

/**
 * `refuse` one with an error, behind which the connection ends; what came behind that is to be ignored, for its answer
 * would have no place. Whoever sends a lot more is cut off: each costs memory until then.
 */
const takeTurn = (request: IncomingMessage, response: ServerResponse): 'serve' | 'refuse' | 'ignore' => {
  const flight = flightOf(request.socket);
  if (flight.isEnding) {
    flight.ignored += 1;
    if (flight.ignored >= MOST_IN_FLIGHT) request.socket.destroy();
    return 'ignore';
  }
  flight.inFlight += 1;
  response.on('close', land);
  if (flight.inFlight <= MOST_IN_FLIGHT) return 'serve';
  flight.isEnding = true;
  response.shouldKeepAlive = false;
  return 'refuse';
};

const tooManyAtOnce = serviceError('rate_limit', {
  message: `A connection takes ${MOST_IN_FLIGHT} requests at once. Wait for answers, or open another connection.`,
  retryAfterSeconds: 1,
});

const pathOf = (url: string): string => {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
};

/** The parser joins several Host headers with a comma, which no host has. */
const checkHost = ({ headers: { host }, httpVersion }: GatewayRequest): void => {
  if (host === undefined && httpVersion !== '1.0') {
    throw serviceError('malformed_request', { message: 'HTTP/1.1 needs a Host header.' });
  }
  if (host?.includes(',')) throw serviceError('malformed_request', { message: 'Send one Host header.' });
};

/** Of a target that is no path of the table as it stands there: no key anywhere, no fragment, no user of a URL. */
const checkTarget = (url: string): void => {
  if (looksLikeKey.test(url)) throw serviceError('key_in_query_string');
  const isWholeUrl = !url.startsWith('/') && URL.canParse(url);
  const { username, password } = isWholeUrl ? new URL(url) : { username: '', password: '' };
  if (url.includes('#') || username !== '' || password !== '') {
    throw serviceError('malformed_request', {
      message: 'The address of a request has neither a fragment nor credentials.',
    });
  }
};

/** Rows of callers with a key, or of everybody, whose method and path stand in the request line as they are. */
const createFixedRows = (table: readonly ServedRow[]) => {
  const rows = table.filter(
    ({ row: { access, method, path } }) =>
      (access === 'key' || (access === 'public' && method === 'GET')) && !path.includes('{'),
  );
  const byMethod = Object.groupBy(rows, ({ row }) => row.method);
  const byPath = new Map(
    Object.entries(byMethod).map(([method, group]) => [
      method,
      new Map(group.map((served) => [served.row.path, served])),
    ]),
  );
  return (method: string, url: string): ServedRow | undefined => byPath.get(method)?.get(pathOf(url));
};

/**
 * Where every request comes in, known path or not: it gets its request id, and no key in its URL is let through.
 * Requests with keys, or without any, for fixed paths are most of what comes, so they go straight to their route, and what cannot
 * be a key is refused without any look-up; Express does all the rest.
 */
export const createFrontDoor = (
  app: Express,
  table: readonly ServedRow[],
  { fail }: Finish,
): RequestListener => {
  const readQuery = createQueryReader();
  const findRow = createFixedRows(table);
  const check = (request: GatewayRequest, exchange: Exchange): ServedRow | undefined => {
    checkHost(request);
    const served = findRow(request.method, request.url);
    if (served === undefined) checkTarget(request.url);
    // What OPTIONS tells depends on nothing but the path.
    const query = request.method === 'OPTIONS' ? null : readQuery(request.url);
    if (query !== null) exchange.query = query;
    if (served === undefined) return undefined;
    exchange.route = served.row.id;
    exchange.credential = readCredential(request, served.row);
    return served;
  };
  return (rawRequest, rawResponse) => {
    const request = rawRequest as GatewayRequest;
    const response = rawResponse as GatewayResponse;
    const turn = takeTurn(request, response);
    if (turn === 'ignore') return;
    const exchange = openExchange();
    response.locals = { exchange };
    try {
      if (turn === 'refuse') throw tooManyAtOnce;
      const served = check(request, exchange);
      if (served === undefined) app(request as never, response as never);
      else served.serve(request, response);
    } catch (thrown) {
      fail(request, response, thrown);
    }
  };
};
