import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { ServiceError } from '@tds/contracts';
import { crossOriginHeaders } from './cross-origin.ts';
import type { Exchange, GatewayRequest, GatewayResponse } from './exchange.ts';

/** What a route answers. `writeAnswer` adds the headers that every answer carries. */
export type Answer = {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: Buffer | string;
  /** Writes and ends the response itself, in place of `body`: for streams and files too large for memory. */
  readonly takeOver?: (response: ServerResponse) => void;
  /** Name, value, name, value ... */
  readonly headers?: readonly string[];
  readonly cache?: 'HIT' | 'MISS';
  readonly creditsCharged?: number;
  /** The failure that the body of a success reports: a failed tool call is an answer of its protocol. */
  readonly failure?: ServiceError;
  /** Set by `compressible`. */
  readonly isCompressible?: boolean;
  /** Default: `no-store`. */
  readonly cacheControl?: string;
};

/** Browsers reach the host by https alone from the first page on. */
const HSTS = ['Strict-Transport-Security', 'max-age=31536000'];

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

/** Writes head and body in one go: each further call into the response costs CPU on the hot path. */
export const writeAnswer = (
  response: GatewayResponse,
  exchange: Exchange,
  answer: Answer,
  isSecure: boolean,
): void => {
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
  if (isSecure && contentType?.startsWith('text/html')) headers.push(...HSTS);
  if (body !== undefined) {
    headers.push('Content-Length', String(typeof body === 'string' ? Buffer.byteLength(body) : body.length));
  }
  if (answer.cache !== undefined) headers.push('X-Cache', answer.cache);
  if (exchange.isAuthenticated) addAccountHeaders(headers, exchange);
  if (answer.headers !== undefined) headers.push(...answer.headers);
  headers.push(...crossOriginHeaders(response.req as GatewayRequest, exchange, answer.headers));
  response.writeHead(answer.status, headers);
  if (answer.takeOver === undefined || response.req.method === 'HEAD') response.end(body);
  else answer.takeOver(response);
};
