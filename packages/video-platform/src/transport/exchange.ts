import type { Limits } from '../config/limits.ts';
import type { OpenEgress } from './egresses.ts';
import { readBody } from './read-body.ts';

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

/** Bytes read so far; kept outside so that failures are counted too. */
export type Meter = { bytes: number; status: number | null };

type Headers = Record<string, string | string[] | undefined>;
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
  const response = await egress.dispatcher.request({
    origin: target.origin,
    path: request.path,
    method: request.method,
    headers: { 'accept-encoding': 'gzip, deflate, br', ...cookie, ...request.headers },
    body: request.body ?? null,
    signal: target.signal,
    headersTimeout: target.limits.headersMs,
    bodyTimeout: target.limits.bodyIdleMs,
  });
  meter.status = response.statusCode;
  const body = await readBody(response.body, {
    encoding: header(response.headers, 'content-encoding'),
    capBytes: request.capBytes,
    onBytes: (bytes) => {
      meter.bytes += bytes;
    },
  });
  return {
    status: response.statusCode,
    contentType: header(response.headers, 'content-type') ?? '',
    location: locationOf(header(response.headers, 'location'), target.origin),
    retryAfterSeconds: retryAfterOf(header(response.headers, 'retry-after')),
    body,
  };
}
