import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { AnswerTooLarge } from '@tds/bounded-http';
import { decompress, UnknownEncoding } from './exchange.ts';

const CAP = 1_000;
const text = 'häl\u2028lo';

describe('a body', () => {
  it.each([
    ['as it is', Buffer.from(text), null],
    ['as it is, by name', Buffer.from(text), 'identity'],
    ['from gzip', gzipSync(text), 'gzip'],
    ['from gzip by its other names', gzipSync(text), 'X-GZIP'],
    ['from deflate', deflateSync(text), 'deflate'],
    ['from brotli', brotliCompressSync(text), 'br'],
  ])('is decompressed: %s', async (_what, body, encoding) => {
    expect(String(await decompress(body, encoding, CAP))).toBe(text);
  });

  it('may not become larger than the cap: a small bomb is rejected', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    await expect(decompress(bomb, 'gzip', CAP)).rejects.toBeInstanceOf(AnswerTooLarge);
  });

  it('is rejected if its compression stops halfway', async () => {
    const packed = gzipSync('something longer than a few bytes');
    const cut = packed.subarray(0, packed.length - 12);
    await expect(decompress(cut, 'gzip', CAP)).rejects.toThrow('unexpected end of file');
  });

  it('is rejected in an unknown encoding', async () => {
    await expect(decompress(Buffer.from('x'), 'zstd', CAP)).rejects.toBeInstanceOf(UnknownEncoding);
  });
});
