import type { RequestListener } from 'node:http';
import { serviceError } from '@tds/contracts';
import type { Express } from 'express';
import { readCredential } from './credentials.ts';
import { type Exchange, type GatewayRequest, type GatewayResponse, openExchange } from './exchange.ts';
import type { Finish } from './finish.ts';
import { createQueryReader } from './query-strings.ts';
import type { ServedRow } from './serve-table.ts';

const pathOf = (url: string): string => {
  const mark = url.indexOf('?');
  return mark === -1 ? url : url.slice(0, mark);
};

/** Rows that take a key and nothing else, and whose method and path stand in the request line as they are. */
const createKeyRows = (table: readonly ServedRow[]) => {
  const rows = table.filter(({ row }) => row.access === 'key' && !row.path.includes('{'));
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
 * Requests with keys for fixed paths are most of what comes, so they go straight to their route, and what cannot be
 * a key is refused without any look-up; Express does all the rest.
 */
export const createFrontDoor = (
  app: Express,
  table: readonly ServedRow[],
  { fail }: Finish,
): RequestListener => {
  const readQuery = createQueryReader();
  const findKeyRow = createKeyRows(table);
  const check = (request: GatewayRequest, exchange: Exchange): ServedRow | undefined => {
    if (request.headers.host === undefined && request.httpVersion !== '1.0') {
      throw serviceError('malformed_request', { message: 'HTTP/1.1 needs a Host header.' });
    }
    const query = readQuery(request.url);
    if (query !== null) exchange.query = query;
    const served = findKeyRow(request.method, request.url);
    if (served === undefined) return undefined;
    exchange.route = served.row.id;
    exchange.credential = readCredential(request, served.row);
    return served;
  };
  return (rawRequest, rawResponse) => {
    const request = rawRequest as GatewayRequest;
    const response = rawResponse as GatewayResponse;
    const exchange = openExchange();
    response.locals = { exchange };
    try {
      const served = check(request, exchange);
      if (served === undefined) app(request as never, response as never);
      else served.serve(request, response);
    } catch (thrown) {
      fail(request, response, thrown);
    }
  };
};
