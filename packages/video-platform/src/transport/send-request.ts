import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { AnswerTooLarge, type Headers, type Meter, receive } from '@tds/bounded-http';
import type { Limits } from '../config/limits.ts';
import type { Strategy } from '../config/strategies.ts';
import type { Session } from './session-pool.ts';

export class UnknownEncoding extends Error {}

type Decode = (body: Buffer, limits: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decoders: Record<string, Decode> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * Decompresses a body of at most `capBytes`. Throws AnswerTooLarge, UnknownEncoding, or zlib's error for a damaged body.
 */
export async function decompress(body: Buffer, encoding: string | null, capBytes: number): Promise<Buffer> {
  if (encoding === null || encoding === '' || encoding === 'identity') return body;
  const decode = decoders[encoding.toLowerCase()];
  if (decode === undefined) throw new UnknownEncoding(encoding);
  try {
    return await decode(body, { maxOutputLength: capBytes });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? new AnswerTooLarge(capBytes) : error;
  }
}

const MARKS = [
  { label: 'utf-16le', bytes: [0xff, 0xfe] },
  { label: 'utf-16be', bytes: [0xfe, 0xff] },
] as const;
const CHARSET = /;\s{0,8}charset="?([\w-]{1,40})/i;
const DECLARED = /^\s{0,64}<\?xml[^>]{0,100}?\sencoding\s{0,8}=\s{0,8}["']([\w-]{1,40})/;
const MAX_BEFORE_DECLARATION = 256;

/** The encoding of a body: its mark, then that of its type, then that of its XML declaration. JSON is always UTF-8. */
const detectEncoding = (body: Buffer, contentType: string): string => {
  const mark = MARKS.find(({ bytes }) => bytes.every((byte, index) => body[index] === byte));
  if (mark !== undefined) return mark.label;
  if (/\bjson\b/i.test(contentType)) return 'utf-8';
  const head = body.toString('latin1', 0, MAX_BEFORE_DECLARATION);
  return CHARSET.exec(contentType)?.[1] ?? DECLARED.exec(head)?.[1] ?? 'utf-8';
};

/** Throws UnknownEncoding. Bytes that are no text of the encoding become U+FFFD. */
export const decodeBody = (body: Buffer, contentType: string): string => {
  const label = detectEncoding(body, contentType);
  if (/^utf-?8$/i.test(label)) return body.toString('utf8');
  try {
    return new TextDecoder(label).decode(body);
  } catch (error) {
    throw error instanceof RangeError ? new UnknownEncoding(label) : error;
  }
};

export type HttpRequest = {
  readonly method: 'GET' | 'POST';
  /** Path and query on the platform's origin. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly capBytes: number;
};

const header = (headers: Headers, name: string): string | null => {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
};

const MAX_RETRY_AFTER_S = 3600;
/** Seconds, or a date by the clock of the answer itself. */
export const toRetryAfterSeconds = (value: string | null, date: string | null): number | null => {
  if (value === null) return null;
  const answeredAt = Date.parse(date ?? '') || Date.now();
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - answeredAt) / 1_000);
  return seconds >= 0 ? Math.min(seconds, MAX_RETRY_AFTER_S) : null;
};

const toLocation = (value: string | null, origin: string): URL | null =>
  value === null ? null : URL.parse(value, origin);

/** Sends one request and reads the body within its cap. Redirects are not followed. The meter has both, as sellers of proxies count. */
export async function sendRequest(
  session: Session,
  target: { origin: string; limits: Limits; signal: AbortSignal },
  request: HttpRequest,
  meter: Meter,
) {
  const cookie = session.cookie === null ? {} : { cookie: session.cookie };
  const requestHeaders = { 'accept-encoding': 'gzip, deflate, br', ...cookie, ...request.headers };
  // Headers are about as long as on the wire.
  meter.bytes +=
    request.path.length + JSON.stringify(requestHeaders).length + Buffer.byteLength(request.body ?? '');
  const { status, headers, body } = await receive(
    session.dispatcher,
    {
      origin: target.origin,
      path: request.path,
      method: request.method,
      headers: requestHeaders,
      body: request.body ?? null,
      headersTimeout: target.limits.headersMs,
      bodyTimeout: target.limits.bodyIdleMs,
    },
    { signal: target.signal, capBytes: request.capBytes, meter },
  );
  meter.bytes += JSON.stringify(headers).length;
  const text = await decompress(body, header(headers, 'content-encoding'), request.capBytes);
  const contentType = header(headers, 'content-type') ?? '';
  return {
    status,
    contentType,
    location: toLocation(header(headers, 'location'), target.origin),
    retryAfterSeconds: toRetryAfterSeconds(header(headers, 'retry-after'), header(headers, 'date')),
    body: decodeBody(text, contentType),
  };
}
export type HttpAnswer = Awaited<ReturnType<typeof sendRequest>>;

export const INTERFACE_LANGUAGE = 'en';

const context = (strategy: Strategy) => ({
  client: {
    ...strategy.context,
    clientName: strategy.client,
    clientVersion: strategy.clientVersion,
    // Reasons and track names are in this language, and the classification reads English.
    hl: INTERFACE_LANGUAGE,
    gl: strategy.gl,
  },
});

/** A call of the platform's JSON interface in the form of one of its own clients. */
export const innertubeRequest = (
  strategy: Strategy,
  path: string,
  body: object,
  capBytes: number,
): HttpRequest => ({
  method: 'POST',
  path,
  headers: {
    'content-type': 'application/json',
    accept: 'application/json',
    'accept-language': INTERFACE_LANGUAGE,
    'x-youtube-client-name': String(strategy.clientNumber),
    'x-youtube-client-version': strategy.clientVersion,
    ...strategy.headers,
  },
  body: JSON.stringify({ context: context(strategy), ...body }),
  capBytes,
});
