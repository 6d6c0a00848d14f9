import {
  isRecentPaymentSignature,
  LONGEST_PAYMENT_SIGNATURE,
  type SignedBody,
  serviceError,
} from '@tds/contracts';
import type { GatewayRequest } from './exchange.ts';
import { collect, LARGEST_BODY_BYTES, refuseOtherTypes } from './read-body.ts';

// A byte order mark is one of the bytes that are signed.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Whoever signs a body knows how long it is before it is sent. */
const refuseLength = ({ headers }: GatewayRequest, largestBytes: number): void => {
  const length = headers['content-length'];
  if (length === undefined || headers['transfer-encoding'] !== undefined)
    throw serviceError('payment_content_length_invalid');
  if (Number(length) > largestBytes) throw serviceError('payment_body_too_large');
};

const decode = (bytes: Buffer): string => {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    throw serviceError('payment_body_invalid_utf8');
  }
};

type Signing = {
  /** The header with the signature. */
  readonly header: string;
  readonly largestBytes?: number | undefined;
};

/**
 * The bytes of a body as text, and their signature. Throws `payment_content_length_invalid`, `payment_body_too_large`,
 * `unsupported_media_type`, `payment_body_invalid_utf8`, and `payment_event_invalid`, having read no body, without a
 * signature of these minutes.
 */
export const readSignedBody = async (
  request: GatewayRequest,
  now: Date,
  { header, largestBytes = LARGEST_BODY_BYTES }: Signing,
): Promise<SignedBody> => {
  refuseLength(request, largestBytes);
  refuseOtherTypes(request);
  const [signature = '', ...more] = request.headersDistinct[header] ?? [];
  const isOne = more.length === 0 && signature.length <= LONGEST_PAYMENT_SIGNATURE;
  if (!isOne || !isRecentPaymentSignature(signature, now)) throw serviceError('payment_event_invalid');
  return { body: decode(await collect(request, largestBytes)), signature };
};
