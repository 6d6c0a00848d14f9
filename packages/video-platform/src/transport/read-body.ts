import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

export class BodyTooLarge extends Error {}
export class UnknownEncoding extends Error {}

type Decode = (body: Buffer, limits: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decoders: Record<string, Decode> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

const decoderFor = (encoding: string | null): Decode | null => {
  if (encoding === null || encoding === '' || encoding === 'identity') return null;
  const decode = decoders[encoding.toLowerCase()];
  if (decode === undefined) throw new UnknownEncoding(encoding);
  return decode;
};

const tooLarge = (capBytes: number): BodyTooLarge => new BodyTooLarge(`more than ${capBytes} bytes`);

const decodeWithin = async (decode: Decode, body: Buffer, capBytes: number): Promise<Buffer> => {
  try {
    return await decode(body, { maxOutputLength: capBytes });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw isTooLarge ? tooLarge(capBytes) : error;
  }
};

/**
 * Reads a whole body as text, decompressed. Holds at most `capBytes` as they came and as many decompressed; `onBytes` hears what
 * came from the wire. Throws BodyTooLarge, UnknownEncoding, or the stream's own error (cut off, damaged).
 */
export async function readBody(
  body: NodeJS.ReadableStream,
  options: { encoding: string | null; capBytes: number; onBytes: (bytes: number) => void },
): Promise<string> {
  const { encoding, capBytes, onBytes } = options;
  const decode = decoderFor(encoding);
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the body.
  for await (const chunk of body as AsyncIterable<Buffer>) {
    onBytes(chunk.length);
    size += chunk.length;
    if (size > capBytes) throw tooLarge(capBytes);
    chunks.push(chunk);
  }
  const whole = Buffer.concat(chunks);
  return (decode === null ? whole : await decodeWithin(decode, whole, capBytes)).toString('utf8');
}
