import { Buffer } from 'node:buffer';
import type { Answer } from './answer.ts';
import type { Exchange, GatewayResponse } from './exchange.ts';

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
