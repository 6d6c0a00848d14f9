import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { serviceError } from '@tds/errors';
import { KEY_PATTERN, type RawQuery, splitQuery } from '@tds/http-api';
import type { Express } from 'express';
import { LRUCache } from 'lru-cache';
import type { Pages } from '../pages/index.ts';
import { type Exchange, type GatewayRequest, type GatewayResponse, openExchange } from '../wire/index.ts';
import { isOpenToSites } from './cross-origin.ts';
import type { Finish } from './finish.ts';
import { readCredential } from './input/credentials.ts';
import type { ServedRow } from './serve-route.ts';

const REMEMBERED = 10_000;
/** Of the whole URL: a remembered slice keeps the whole string in memory. */
const MAX_REMEMBERED_LENGTH = 512;

/** Parses the query string of a URL and remembers it, because most reads repeat an earlier one. */
export const createQueryReader = (): ((url: string) => RawQuery | null) => {
  const queries = new LRUCache<string, RawQuery>({ max: REMEMBERED });
  return (url) => {
    const mark = url.indexOf('?');
    if (mark === -1) return null;
    const search = url.slice(mark + 1);
    const cached = queries.get(search);
    if (cached !== undefined) return cached;
    const query = splitQuery(search);
    if (url.length <= MAX_REMEMBERED_LENGTH) queries.set(search, query);
    return query;
  };
};

/** Unanswered requests of one connection: more than browsers and SDKs pipeline. */
export const MAX_UNANSWERED_REQUESTS = 16;

const state = Symbol('requests in flight');
type Flight = {
  inFlight: number;
  ignored: number;
  isEnding: boolean;
};
type CountedSocket = Socket & { [state]?: Flight };

const getFlight = (socket: CountedSocket): Flight => {
  socket[state] ??= { inFlight: 0, ignored: 0, isEnding: false };
  return socket[state];
};

/** One function shared by all responses. */
function endFlight(this: ServerResponse): void {
  const flight = (this.req.socket as CountedSocket)[state];
  if (flight !== undefined) flight.inFlight -= 1;
}

/**
 * `refuse`: answer with an error and end the connection. `ignore`: the request follows a refused one and
 * cannot be answered. A connection that keeps sending is cut off, because each request costs memory.
 */
const takeSlot = (request: IncomingMessage, response: ServerResponse): 'serve' | 'refuse' | 'ignore' => {
  const flight = getFlight(request.socket);
  if (flight.isEnding) {
    flight.ignored += 1;
    if (flight.ignored >= MAX_UNANSWERED_REQUESTS) request.socket.destroy();
    return 'ignore';
  }
  flight.inFlight += 1;
  response.on('close', endFlight);
  if (flight.inFlight <= MAX_UNANSWERED_REQUESTS) return 'serve';
  flight.isEnding = true;
  response.shouldKeepAlive = false;
  return 'refuse';
};

const tooManyInFlight = serviceError('rate_limit', {
  message: `A connection takes ${MAX_UNANSWERED_REQUESTS} requests at once. Wait for answers, or open another connection.`,
  retryAfterSeconds: 1,
});

const parsePath = (url: string): string => {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
};

/** Node joins several Host headers with a comma, which no host contains. */
const checkHost = ({ headers: { host }, httpVersion }: GatewayRequest): void => {
  if (host === undefined && httpVersion !== '1.0') {
    throw serviceError('malformed_request', { message: 'HTTP/1.1 needs a Host header.' });
  }
  if (host?.includes(',')) throw serviceError('malformed_request', { message: 'Send one Host header.' });
};

/** Checks a target that is not exactly a path of the table: no key, no fragment, no credentials. */
const checkTarget = (url: string): void => {
  if (KEY_PATTERN.test(url)) throw serviceError('key_in_query_string');
  const isWholeUrl = !url.startsWith('/') && URL.canParse(url);
  const { username, password } = isWholeUrl ? new URL(url) : { username: '', password: '' };
  if (url.includes('#') || username !== '' || password !== '') {
    throw serviceError('malformed_request', {
      message: 'The address of a request has neither a fragment nor credentials.',
    });
  }
};

/** Routes without path parameters, with a key or public GET: found without Express. */
const createFixedRows = (table: readonly ServedRow[]) => {
  const rows = table.filter(
    ({ row: { access, method, path } }) =>
      (access === 'key' || (access === 'public' && method === 'GET')) && !path.includes('{'),
  );
  const byAddress = new Map(
    rows.map((servedRow) => [`${servedRow.row.method} ${servedRow.row.path}`, servedRow]),
  );
  return (method: string, url: string): ServedRow | undefined => byAddress.get(`${method} ${parsePath(url)}`);
};

/**
 * Entry of all requests. Gives each a request id and rejects keys in URLs. Requests to fixed paths, which are
 * most, go straight to their route or page, and malformed keys are rejected without a look-up. Express, which tries
 * two hundred paths in turn, routes the rest.
 */
export const createFrontDoor = (
  app: Express,
  { table, pages }: { readonly table: readonly ServedRow[]; readonly pages: Pages },
  { finish, fail }: Finish,
): RequestListener => {
  const pagesByPath = new Map(Object.entries(pages));
  const readQuery = createQueryReader();
  const findRow = createFixedRows(table);
  const check = (request: GatewayRequest, exchange: Exchange): ServedRow | undefined => {
    checkHost(request);
    const servedRow = findRow(request.method, request.url);
    if (servedRow === undefined) checkTarget(request.url);
    // The answer to OPTIONS depends on the path alone.
    const query = request.method === 'OPTIONS' ? null : readQuery(request.url);
    if (query !== null) exchange.query = query;
    if (servedRow === undefined) return undefined;
    exchange.route = servedRow.row.id;
    exchange.isOpen = isOpenToSites(servedRow.row);
    exchange.credential = readCredential(request, servedRow.row);
    return servedRow;
  };
  return (rawRequest, rawResponse) => {
    const request = rawRequest as GatewayRequest;
    const response = rawResponse as GatewayResponse;
    const slot = takeSlot(request, response);
    if (slot === 'ignore') return;
    const exchange = openExchange();
    response.locals = { exchange };
    try {
      if (slot === 'refuse') throw tooManyInFlight;
      const servedRow = check(request, exchange);
      const page = servedRow || request.method !== 'GET' ? undefined : pagesByPath.get(parsePath(request.url));
      if (servedRow !== undefined) void servedRow.serve(request, response);
      else if (page !== undefined) finish(request, response, page(request));
      else app(request, response);
    } catch (thrown) {
      fail(request, response, thrown);
    }
  };
};
