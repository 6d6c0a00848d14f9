import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { CHUNK_BYTES, inChunks } from './spool.ts';

const chunksOf = async (data: Uint8Array | Readable): Promise<Buffer[]> => {
  const chunks: Buffer[] = [];
  for await (const chunk of inChunks(data)) chunks.push(chunk);
  return chunks;
};
/** Bytes that tell where they stand. */
const numbered = (size: number): Buffer => Buffer.from(Array.from({ length: size }, (_, n) => n % 251));

describe('bytes in chunks', () => {
  it.each([
    [0, []],
    [1, [1]],
    [CHUNK_BYTES, [CHUNK_BYTES]],
    [CHUNK_BYTES + 1, [CHUNK_BYTES, 1]],
    [3 * CHUNK_BYTES, [CHUNK_BYTES, CHUNK_BYTES, CHUNK_BYTES]],
  ])('%i bytes are %j, from memory and from a stream of any pieces', async (size, lengths) => {
    const bytes = numbered(size);
    const pieces = [100_003, CHUNK_BYTES, 2 * CHUNK_BYTES + 5].map((most) =>
      Readable.from(
        Array.from({ length: Math.ceil(size / most) }, (_, n) => bytes.subarray(n * most, (n + 1) * most)),
      ),
    );
    for (const data of [bytes, ...pieces]) {
      const chunks = await chunksOf(data);
      expect(chunks.map((chunk) => chunk.length)).toEqual(lengths);
      expect(Buffer.concat(chunks).equals(bytes)).toBe(true);
    }
  });

  it('are those of a view only, not of all that lies in the memory below it', async () => {
    const bytes = numbered(100);
    const view = new Uint8Array(bytes.buffer, bytes.byteOffset + 10, 20);
    expect(Buffer.concat(await chunksOf(view))).toEqual(bytes.subarray(10, 30));
  });

  it('are also those of a stream of text, in UTF-8', async () => {
    const [chunk] = await chunksOf(Readable.from(['zwölf ', 'Boxkämpfer']));
    expect(chunk?.toString()).toBe('zwölf Boxkämpfer');
  });
});
