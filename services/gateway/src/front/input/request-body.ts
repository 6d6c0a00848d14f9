import type { IncomingMessage } from 'node:http';
import { ByteBuffer } from '@tds/base';
import { isRecentPaymentSignature, MAX_PAYMENT_SIGNATURE_LENGTH } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { SignedBody } from '@tds/http-api';
import type { BodyShare } from '../../admission/index.ts';
import { createCounts } from '../../domain/counts.ts';
import type { GatewayRequest } from '../../wire/index.ts';

const MAX_BODY_BYTES = 64 * 1024;

const MAX_TYPE_CHARACTERS = 100;
/** Any parameter but another charset: JSON has none (RFC 8259, 11). */
const jsonType = /^application\/json\s*(?:$|(?=;)(?!.*;\s*charset\s*=(?!\s*"?utf-?8"?\s*(?:;|$))))/i;
// Drops a byte order mark, which some clients send before JSON.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Throws `unsupported_media_type` unless the body is plain application/json in UTF-8. */
const refuseOtherTypes = ({ headers }: IncomingMessage): void => {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw serviceError('unsupported_media_type');
  const type = headers['content-type'] ?? '';
  if (type.length > MAX_TYPE_CHARACTERS || !jsonType.test(type)) throw serviceError('unsupported_media_type');
};

/** Of one body. Each piece costs two microseconds, in which the parser takes a turn. */
const MAX_PIECES = 32 * 1_024;

/** The whole body, of any type. Throws `body_too_large`, and what `share` throws. */
export const readBytes = async (
  request: IncomingMessage,
  share: BodyShare | null,
  largestBytes = MAX_BODY_BYTES,
): Promise<Buffer> => {
  if (Number(request.headers['content-length'] ?? 0) > largestBytes) throw serviceError('body_too_large');
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const body = new ByteBuffer(largestBytes);
  let pieces = 0;
  const add = (piece: Buffer): void => {
    const before = body.capacity;
    pieces += 1;
    if (pieces > MAX_PIECES || !body.add(piece)) throw serviceError('body_too_large');
    if (body.capacity > before) share?.take(body.capacity - before);
  };
  const onData = (piece: Buffer): void => {
    try {
      add(piece);
    } catch (error) {
      // Node drops the rest, so that the caller can read the answer; `endBodySoon` bounds it.
      request.off('data', onData);
      request.resume();
      reject(error);
    }
  };
  request.on('data', onData);
  request.on('end', () => resolve(body.bytes()));
  request.on('error', () => reject(serviceError('malformed_request')));
  request.on('aborted', () => reject(serviceError('malformed_request')));
  return promise;
};

/** Our largest body twice, in packets of the network. */
const [MAX_REST_MS, MAX_REST_PIECES] = [2_000, 8 * 1_024];

/** Ends the connection of a request that is answered and goes on sending its body, in two seconds, or after many pieces. */
export const endBodySoon = (request: IncomingMessage): void => {
  if (request.complete || !hasBody(request)) return;
  let pieces = 0;
  request.on('data', () => {
    pieces += 1;
    if (pieces > MAX_REST_PIECES) request.destroy();
  });
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, MAX_REST_MS).unref();
  request.once('close', () => clearTimeout(timer));
};

/**
 * The text of a JSON body, empty if there is none. Throws `unsupported_media_type` unless it is plain
 * application/json in UTF-8, `body_too_large` above `largestBytes` (64 KiB), `invalid_json` if it is not
 * valid UTF-8.
 */
export const readBody = async (
  request: IncomingMessage,
  largestBytes = MAX_BODY_BYTES,
  share: BodyShare | null = null,
): Promise<string> => {
  if (!hasBody(request)) return '';
  refuseOtherTypes(request);
  const bytes = await readBytes(request, share, largestBytes);
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
  { header, largestBytes = MAX_BODY_BYTES }: SignatureRules,
  share: BodyShare | null = null,
): Promise<SignedBody> => {
  refuseLength(request, largestBytes);
  refuseOtherTypes(request);
  const [signature = '', ...more] = request.headersDistinct[header] ?? [];
  const isOne = more.length === 0 && signature.length <= MAX_PAYMENT_SIGNATURE_LENGTH;
  if (!isOne || !isRecentPaymentSignature(signature, now)) throw serviceError('payment_event_invalid');
  return { body: decode(await readBytes(request, share, largestBytes)), signature };
};

/** Per account. Each takes megabytes of memory and tens of milliseconds of the event loop. */
const MAX_CONCURRENT = 2;
const RETRY_AFTER_SECONDS = 1;

type RequestHead = { readonly headers: { readonly 'content-length'?: string | undefined } };

const isLarge = ({ headers }: RequestHead): boolean => {
  // A body without a length may turn out large.
  const length = headers['content-length'];
  return length === undefined || Number(length) > MAX_BODY_BYTES;
};

/** Limits how many large bodies of one account are read at a time. Throws `concurrency_cap`. */
export const createLargeBodies = () => {
  const counts = createCounts();
  return async <T>(accountId: string, request: RequestHead, read: () => Promise<T>): Promise<T> => {
    if (!isLarge(request)) return read();
    if (counts.of(accountId) >= MAX_CONCURRENT)
      throw serviceError('concurrency_cap', {
        message: `${MAX_CONCURRENT} large bodies of this account are being read. Send one after the other.`,
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    counts.add(accountId, 1);
    try {
      return await read();
    } finally {
      counts.add(accountId, -1);
    }
  };
};
