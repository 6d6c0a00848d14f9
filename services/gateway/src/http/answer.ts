import { Buffer } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import type { ServiceError } from '@tds/errors';
import { crossOriginHeaders } from './cross-origin.ts';
import type { Exchange, GatewayRequest, GatewayResponse } from './exchange.ts';

/** What a route answers. `writeAnswer` adds the headers that every answer carries. */
export type Answer = {
  readonly status: number;
  readonly contentType?: string;
  readonly body?: Buffer | string;
  /** Writes and ends the response itself, in place of `body`: for streams and files too large for memory. */
  readonly takeOver?: (response: ServerResponse) => void;
  /** The size of what `takeOver` writes, if it is known. */
  readonly bytes?: number;
  /** Name, value, name, value ... */
  readonly headers?: readonly string[];
  readonly cache?: 'HIT' | 'MISS';
  readonly creditsCharged?: number;
  /** The failure that the body of a success reports: a failed tool call is an answer of its protocol. */
  readonly failure?: ServiceError;
  /** Set by `asCompressible`. */
  readonly isCompressible?: boolean;
  /** Set by `asLasting`. */
  readonly isLasting?: boolean;
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

const countBytes = ({ body, bytes = 0 }: Answer): number => {
  if (body === undefined) return bytes;
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
};

/** Writes head and body in one go, and returns the size of the body: each further call into the response costs CPU on the hot path. */
export const writeAnswer = (
  response: GatewayResponse,
  exchange: Exchange,
  answer: Answer,
  isSecure: boolean,
): number => {
  const { body, contentType } = answer;
  const bytes = countBytes(answer);
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
  if (body !== undefined) headers.push('Content-Length', String(bytes));
  if (answer.cache !== undefined) headers.push('X-Cache', answer.cache);
  if (exchange.isAuthenticated) addAccountHeaders(headers, exchange);
  if (answer.headers !== undefined) headers.push(...answer.headers);
  headers.push(...crossOriginHeaders(response.req as GatewayRequest, exchange, answer.headers));
  response.writeHead(answer.status, headers);
  const isHead = response.req.method === 'HEAD';
  if (answer.takeOver === undefined || isHead) response.end(body);
  else answer.takeOver(response);
  return isHead ? 0 : bytes;
};
