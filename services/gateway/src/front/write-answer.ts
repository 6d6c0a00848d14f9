import { Buffer } from 'node:buffer';
import type { Answer, Exchange, GatewayRequest, GatewayResponse } from '../wire/index.ts';
import { crossOriginHeaders } from './cross-origin.ts';

/** Browsers reach the host by https alone from the first page on. */
const HSTS = ['Strict-Transport-Security', 'max-age=31536000'];

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
