import { Readable } from 'node:stream';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { BodyTooLarge, readBody, UnknownEncoding } from './read-body.ts';

const read = (body: Buffer | Readable, encoding: string | null, capBytes = 1000) => {
  let wireBytes = 0;
  const onBytes = (bytes: number) => {
    wireBytes += bytes;
  };
  const source = body instanceof Readable ? body : Readable.from([body]);
  return { text: readBody(source, { encoding, capBytes, onBytes }), wireBytes: () => wireBytes, source };
};

describe('readBody', () => {
  it.each([
    ['as it is', Buffer.from('häl\u2028lo'), null],
    ['gzip', gzipSync('häl\u2028lo'), 'gzip'],
    ['brotli', brotliCompressSync('häl\u2028lo'), 'br'],
  ])('reads a whole body: %s', async (_, body, encoding) => {
    expect(await read(body, encoding).text).toBe('häl\u2028lo');
  });

  it('counts what came over the wire, not what it became', async () => {
    const packed = gzipSync('a'.repeat(900));
    const reading = read(packed, 'gzip');
    await reading.text;
    expect(reading.wireBytes()).toBe(packed.length);
  });

  it('applies the cap to decompressed bytes: a small bomb is refused', async () => {
    await expect(read(gzipSync(Buffer.alloc(50_000_000)), 'gzip').text).rejects.toBeInstanceOf(BodyTooLarge);
  });

  it('stops reading an endless body and destroys its source', async () => {
    const endless = Readable.from(
      (function* () {
        for (;;) yield Buffer.alloc(1000);
      })(),
    );
    const closed = new Promise((resolve) => endless.once('close', resolve));
    const reading = read(endless, null, 10_000);
    await expect(reading.text).rejects.toBeInstanceOf(BodyTooLarge);
    await closed;
    expect(reading.wireBytes()).toBeLessThan(100_000);
  });

  it('refuses compression that stops half-way', async () => {
    const packed = gzipSync('something longer than a few bytes');
    await expect(read(packed.subarray(0, packed.length - 12), 'gzip').text).rejects.toThrow(
      'unexpected end of file',
    );
  });

  it('refuses an encoding that it does not know', async () => {
    await expect(read(Buffer.from('x'), 'zstd').text).rejects.toBeInstanceOf(UnknownEncoding);
  });
});
