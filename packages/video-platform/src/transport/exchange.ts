import { type Headers, type Meter, receive } from '@tds/bounded-http';
import type { Limits } from '../config/limits.ts';
import { decompress } from './decompress.ts';
import type { OpenEgress } from './egresses.ts';

export type HttpRequest = {
  readonly method: 'GET' | 'POST';
  /** Path and query on the platform's origin. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly capBytes: number;
};

export type HttpAnswer = {
  readonly status: number;
  readonly contentType: string;
  readonly location: URL | null;
  readonly retryAfterSeconds: number | null;
  readonly body: string;
};

const header = (headers: Headers, name: string): string | null => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
};

const LONGEST_RETRY_AFTER_S = 3600;
const retryAfterOf = (value: string | null): number | null => {
  const seconds = value === null || !/^\d{1,9}$/.test(value) ? null : Number(value);
  return seconds === null ? null : Math.min(seconds, LONGEST_RETRY_AFTER_S);
};

const locationOf = (value: string | null, origin: string): URL | null =>
  value === null ? null : URL.parse(value, origin);

/** One request, its body read whole within the cap. Redirects are answers like any other: nothing is followed. */
export async function exchange(
  egress: OpenEgress,
  target: { origin: string; limits: Limits; signal: AbortSignal },
  request: HttpRequest,
  meter: Meter,
): Promise<HttpAnswer> {
  const cookie = egress.cookie === null ? {} : { cookie: egress.cookie };
  const { status, headers, body } = await receive(
    egress.dispatcher,
    {
      origin: target.origin,
      path: request.path,
      method: request.method,
      headers: { 'accept-encoding': 'gzip, deflate, br', ...cookie, ...request.headers },
      body: request.body ?? null,
      headersTimeout: target.limits.headersMs,
      bodyTimeout: target.limits.bodyIdleMs,
    },
    { signal: target.signal, capBytes: request.capBytes, meter },
  );
  const text = await decompress(body, header(headers, 'content-encoding'), request.capBytes);
  return {
    status,
    contentType: header(headers, 'content-type') ?? '',
    location: locationOf(header(headers, 'location'), target.origin),
    retryAfterSeconds: retryAfterOf(header(headers, 'retry-after')),
    body: text.toString('utf8'),
  };
}
