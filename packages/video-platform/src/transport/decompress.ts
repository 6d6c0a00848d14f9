import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { AnswerTooLarge } from '@tds/bounded-http';

export class UnknownEncoding extends Error {}

type Decode = (body: Buffer, limits: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decoders: Record<string, Decode> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/**
 * A body as it was before it was compressed for the wire; at most `capBytes`. Throws AnswerTooLarge, UnknownEncoding, or zlib's own error
 * (cut off, damaged).
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
