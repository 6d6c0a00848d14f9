import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { inChunks } from './chunks.ts';

/** Data whose length and hash are known before it is sent. */
export type Spooled = AsyncDisposable & {
  readonly bytes: number;
  readonly sha256: string;
  readonly open: () => Uint8Array | Readable;
};

const inMemory = (data: Uint8Array): Spooled => ({
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
export const spool = async (data: Uint8Array | Readable): Promise<Spooled> => {
  if (data instanceof Uint8Array) return inMemory(data);
  const folder = await mkdtemp(path.join(tmpdir(), 'tds-object-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const file = path.join(folder, 'data');
  try {
    const written = await writeTo(file, inChunks(data));
    return { ...written, open: () => createReadStream(file), [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
};
