import type { IncomingMessage } from 'node:http';
import { isRecentPaymentSignature, LONGEST_PAYMENT_SIGNATURE, serviceError } from '@tds/contracts';
import type { SignedBody } from '@tds/http-api';
import type { GatewayRequest } from './exchange.ts';

const LARGEST_BODY_BYTES = 64 * 1024;

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;
// Drops a byte order mark, which some clients send before JSON.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Throws `unsupported_media_type` unless the body is plain application/json in UTF-8. */
const refuseOtherTypes = ({ headers }: IncomingMessage): void => {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw serviceError('unsupported_media_type');
  if (!jsonType.test(headers['content-type'] ?? '')) throw serviceError('unsupported_media_type');
};

/** Reads the whole body. Throws `body_too_large`. */
const collect = async (request: IncomingMessage, largestBytes: number): Promise<Buffer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // The rest is read and dropped, so that the caller can read the answer.
    if (bytes > largestBytes) reject(serviceError('body_too_large'));
    else chunks.push(chunk);
  });
  request.on('end', () => resolve(Buffer.concat(chunks)));
  request.on('error', () => reject(serviceError('malformed_request')));
  request.on('aborted', () => reject(serviceError('malformed_request')));
  return promise;
};

/**
 * The text of a JSON body, empty if there is none. Throws `unsupported_media_type` unless it is plain
 * application/json in UTF-8, `body_too_large` above `largestBytes` (64 KiB), `invalid_json` if it is not
 * valid UTF-8.
 */
export const readBody = async (
  request: IncomingMessage,
  largestBytes = LARGEST_BODY_BYTES,
): Promise<string> => {
  if (!hasBody(request)) return '';
  refuseOtherTypes(request);
  if (Number(request.headers['content-length'] ?? 0) > largestBytes) throw serviceError('body_too_large');
  const bytes = await collect(request, largestBytes);
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw serviceError('invalid_json', { message: 'The request body is not valid UTF-8.' });
  }
};

// A byte order mark is part of the signed bytes.
const exactUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** A signed body has a known length. */
const refuseLength = ({ headers }: GatewayRequest, largestBytes: number): void => {
  const length = headers['content-length'];
  if (length === undefined || headers['transfer-encoding'] !== undefined)
    throw serviceError('payment_content_length_invalid');
  if (Number(length) > largestBytes) throw serviceError('payment_body_too_large');
};

const decode = (bytes: Buffer): string => {
  try {
    return exactUtf8.decode(bytes);
  } catch {
    throw serviceError('payment_body_invalid_utf8');
  }
};

type SignatureRules = {
  readonly header: string;
  readonly largestBytes?: number | undefined;
};

/**
 * The body as text with its signature. Throws `payment_content_length_invalid`, `payment_body_too_large`,
 * `unsupported_media_type`, `payment_body_invalid_utf8`, and `payment_event_invalid` before reading the body
 * if the signature is not recent.
 */
export const readSignedBody = async (
  request: GatewayRequest,
  now: Date,
  { header, largestBytes = LARGEST_BODY_BYTES }: SignatureRules,
): Promise<SignedBody> => {
  refuseLength(request, largestBytes);
  refuseOtherTypes(request);
  const [signature = '', ...more] = request.headersDistinct[header] ?? [];
  const isOne = more.length === 0 && signature.length <= LONGEST_PAYMENT_SIGNATURE;
  if (!isOne || !isRecentPaymentSignature(signature, now)) throw serviceError('payment_event_invalid');
  return { body: decode(await collect(request, largestBytes)), signature };
};

/** Per account. Each takes megabytes of memory and tens of milliseconds of the event loop. */
const MOST_AT_ONCE = 2;
const RETRY_AFTER_SECONDS = 1;

type RequestHead = { readonly headers: { readonly 'content-length'?: string | undefined } };

const isLarge = ({ headers }: RequestHead): boolean => {
  // A body without a length may turn out large.
  const length = headers['content-length'];
  return length === undefined || Number(length) > LARGEST_BODY_BYTES;
};

/** Limits how many large bodies of one account are read at a time. Throws `concurrency_cap`. */
export const createLargeBodies = () => {
  const reading = new Map<string, number>();
  const change = (accountId: string, by: number): void => {
    const now = (reading.get(accountId) ?? 0) + by;
    if (now === 0) reading.delete(accountId);
    else reading.set(accountId, now);
  };
  return async <T>(accountId: string, request: RequestHead, read: () => Promise<T>): Promise<T> => {
    if (!isLarge(request)) return read();
    if ((reading.get(accountId) ?? 0) >= MOST_AT_ONCE)
      throw serviceError('concurrency_cap', {
        message: `${MOST_AT_ONCE} large bodies of this account are being read. Send one after the other.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    change(accountId, 1);
    try {
      return await read();
    } finally {
      change(accountId, -1);
    }
  };
};
