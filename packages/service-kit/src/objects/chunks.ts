import type { Readable } from 'node:stream';

/** What one row of the store holds at most. */
export const CHUNK_BYTES = 256 * 1024;

function* slices(bytes: Uint8Array): Generator<Buffer> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length; start += CHUNK_BYTES) {
    yield buffer.subarray(start, start + CHUNK_BYTES);
  }
}

/** The same bytes in pieces of exactly CHUNK_BYTES, the last one shorter; nothing for nothing. */
export async function* inChunks(data: Uint8Array | Readable): AsyncGenerator<Buffer> {
  if (data instanceof Uint8Array) return yield* slices(data);
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  for await (const piece of data as AsyncIterable<Buffer | string>) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    waiting.push(bytes);
    waitingBytes += bytes.length;
    if (waitingBytes < CHUNK_BYTES) continue;
    const joined = Buffer.concat(waiting);
    const rest = joined.length % CHUNK_BYTES;
    yield* slices(joined.subarray(0, joined.length - rest));
    waiting = [joined.subarray(joined.length - rest)];
    waitingBytes = rest;
  }
  if (waitingBytes > 0) yield Buffer.concat(waiting);
}
