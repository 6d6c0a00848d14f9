import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { Exchange, GatewayResponse } from './exchange.ts';

/** What a route answers; the headers that every answer carries are added when it is written. */
export type Answer = {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: Buffer | string;
  /** Writes the body and ends it, in place of `body`: for what is too large to be held, or comes over time. */
  readonly takeOver?: (response: ServerResponse) => void;
  /** Further headers: name, value, name, value ... */
  readonly headers?: readonly string[];
  readonly cache?: 'HIT' | 'MISS';
  readonly creditsCharged?: number;
  /** Made so by `compressible`. */
  readonly isCompressible?: boolean;
  /** Instead of `no-store`. */
  readonly cacheControl?: string;
};

export const JSON_TYPE = 'application/json; charset=utf-8';

export const jsonAnswer = (status: number, body: unknown, more: Partial<Answer> = {}): Answer => ({
  ...more,
  status,
  contentType: JSON_TYPE,
  body: JSON.stringify(body),
});

const addAccountHeaders = (headers: string[], exchange: Exchange): void => {
  headers.push('X-Credits-Charged', String(exchange.creditsCharged));
  if (exchange.balance !== null) headers.push('X-Credits-Balance', String(exchange.balance));
  if (exchange.rateLimit !== null) headers.push('X-RateLimit-Limit', String(exchange.rateLimit));
};

/** Writes head and body in one go: on the hot path every further call into the response costs. */
export const writeAnswer = (response: GatewayResponse, exchange: Exchange, answer: Answer): void => {
  const { body, contentType } = answer;
  const headers = [
    'X-Request-Id',
    exchange.requestId,
    'Cache-Control',
    answer.cacheControl ?? 'no-store',
    'X-Content-Type-Options',
    'nosniff',
  ];
  if (contentType !== undefined) headers.push('Content-Type', contentType);
  if (body !== undefined) {
    headers.push('Content-Length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length));
  }
  if (answer.cache !== undefined) headers.push('X-Cache', answer.cache);
  if (exchange.isAuthenticated) addAccountHeaders(headers, exchange);
  if (answer.headers !== undefined) headers.push(...answer.headers);
  response.writeHead(answer.status, headers);
  if (answer.takeOver === undefined || response.req.method === 'HEAD') response.end(body);
  else answer.takeOver(response);
};
