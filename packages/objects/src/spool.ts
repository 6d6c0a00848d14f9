import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';

/** The largest size of a row of the store. */
export const CHUNK_BYTES = 256 * 1024;

function* slices(bytes: Uint8Array): Generator<Buffer> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let start = 0; start < buffer.length; start += CHUNK_BYTES) {
    yield buffer.subarray(start, start + CHUNK_BYTES);
  }
}

/** Splits data into chunks of exactly CHUNK_BYTES, the last one shorter; empty data has none. */
export async function* inChunks(data: Uint8Array | Readable): AsyncGenerator<Buffer> {
  if (data instanceof Uint8Array) return yield* slices(data);
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const piece of data as AsyncIterable<Buffer | string>) {
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece;
    pending.push(bytes);
    pendingBytes += bytes.length;
    if (pendingBytes < CHUNK_BYTES) continue;
    const joined = Buffer.concat(pending);
    const remainder = joined.length % CHUNK_BYTES;
    yield* slices(joined.subarray(0, joined.length - remainder));
    pending = [joined.subarray(joined.length - remainder)];
    pendingBytes = remainder;
  }
  if (pendingBytes > 0) yield Buffer.concat(pending);
}

/** Data whose length and hash are known before it is sent. */
export type SpooledData = AsyncDisposable & {
  readonly bytes: number;
  readonly sha256: string;
  readonly open: () => Uint8Array | Readable;
};

const inMemory = (data: Uint8Array): SpooledData => ({
  bytes: data.byteLength,
  sha256: createHash('sha256').update(data).digest('hex'),
  open: () => data,
  [Symbol.asyncDispose]: async () => {},
});

const writeTo = async (file: string, data: AsyncIterable<Buffer>) => {
  const hash = createHash('sha256');
  let bytes = 0;
  await using handle = await open(file, 'wx', 0o600);
  for await (const chunk of data) {
    hash.update(chunk);
    bytes += chunk.length;
    await handle.writeFile(chunk);
  }
  return { bytes, sha256: hash.digest('hex') };
};

/** Keeps a stream in a temporary file until it is disposed; bytes that are in memory stay there. */
export const spool = async (data: Uint8Array | Readable): Promise<SpooledData> => {
  if (data instanceof Uint8Array) return inMemory(data);
  const folder = await mkdtemp(path.join(tmpdir(), 'tds-object-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const file = path.join(folder, 'data');
  try {
    const content = await writeTo(file, inChunks(data));
    return { ...content, open: () => createReadStream(file), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
};
