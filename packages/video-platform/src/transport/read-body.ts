import { pipeline, Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';

export class BodyTooLarge extends Error {}
export class UnknownEncoding extends Error {}

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

const decoderFor = (encoding: string | null): Transform | null => {
  if (encoding === null || encoding === '' || encoding === 'identity') return null;
  const create = decoders[encoding.toLowerCase()];
  if (create === undefined) throw new UnknownEncoding(encoding);
  return create();
};

/**
 * Reads a whole body as text, decompressed. Holds at most `capBytes` of decompressed bytes; `onBytes` hears what came
 * from the wire. Throws BodyTooLarge, UnknownEncoding, or the stream's own error (cut off, damaged).
 */
export async function readBody(
  body: NodeJS.ReadableStream,
  options: { encoding: string | null; capBytes: number; onBytes: (bytes: number) => void },
): Promise<string> {
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      options.onBytes(chunk.length);
      done(null, chunk);
    },
  });
  const decoder = decoderFor(options.encoding);
  const stages = decoder === null ? [body, meter] : [body, meter, decoder];
  // The reader below meets the same error; pipeline only has to tear all stages down.
  pipeline(stages, () => undefined);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of decoder ?? meter) {
    size += chunk.length;
    if (size > options.capBytes) throw new BodyTooLarge(`more than ${options.capBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
