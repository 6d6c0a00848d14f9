import type { IncomingMessage } from 'node:http';
import { serviceError } from '@tds/contracts';

export const LARGEST_BODY_BYTES = 64 * 1024;

const jsonType = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;
// Drops a byte order mark, which some clients put before JSON.
const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Throws `unsupported_media_type` for anything but plain application/json in UTF-8. */
export const refuseOtherTypes = ({ headers }: IncomingMessage): void => {
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw serviceError('unsupported_media_type');
  if (!jsonType.test(headers['content-type'] ?? '')) throw serviceError('unsupported_media_type');
};

/** All bytes of a body. Throws `body_too_large`. */
export const collect = async (request: IncomingMessage, largestBytes: number): Promise<Buffer> => {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    // What comes behind is let through unread, so that the caller gets to read the answer.
    if (bytes > largestBytes) reject(serviceError('body_too_large'));
    else chunks.push(chunk);
  });
  request.on('end', () => resolve(Buffer.concat(chunks)));
  request.on('error', () => reject(serviceError('malformed_request')));
  request.on('aborted', () => reject(serviceError('malformed_request')));
  return promise;
};

/**
 * The text of a JSON body; empty if there is none. Throws `unsupported_media_type` for anything but plain
 * application/json in UTF-8, `body_too_large` above `largestBytes` (64 KiB), `invalid_json` for bytes that are no UTF-8.
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
