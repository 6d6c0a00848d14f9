import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from '@jest/globals';
import { AnswerTooLarge } from '@tds/bounded-http';
import { createStepCounter } from '@tds/jest';
import { decodeBody, decompress, toRetryAfterSeconds, UnknownEncoding } from './send-request.ts';

const steps = createStepCounter<number>(new URL('../test-support/works.ts', import.meta.url));
afterAll(steps.stop);

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

describe('the text of a body', () => {
  const word = 'caf\u00e9';
  const latin = Buffer.from(word, 'latin1');
  const swapped = (given: string) => Buffer.from(`\ufeff${given}`, 'utf16le').swap16();
  const declared = (encoding: string) => `<?xml version="1.0" encoding='${encoding}'?>${word}`;

  it.each([
    ['UTF-8 by default', Buffer.from(word), ''],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${word}`), 'text/xml'],
    ['UTF-16 with a mark', Buffer.from(`\ufeff${word}`, 'utf16le'), 'application/json'],
    ['UTF-16 with the other mark', swapped(word), 'text/xml; charset=utf-8'],
    ['the encoding of its type', latin, 'text/xml; charset="ISO-8859-1"'],
    ['what its declaration says', Buffer.from(declared('iso-8859-1'), 'latin1'), 'application/atom+xml'],
    ['its type before its declaration', Buffer.from(declared('utf-16')), 'text/xml; charset=UTF-8'],
    ['UTF-8 if it is JSON, whatever its type says', Buffer.from(word), 'application/json; charset=latin1'],
  ])('is read as %s', (_, body, type) => {
    expect(decodeBody(body, type).replace(/^\ufeff|<.*>/g, '')).toBe(word);
  });

  it('in an encoding without a decoder is rejected', () => {
    expect(() => decodeBody(latin, 'text/xml; charset=klingon')).toThrow(UnknownEncoding);
  });

  it('is found in linear time, whatever the type and the beginning are', async () => {
    const few = await steps.count('an encoding', 1_000);
    // In square time it would be 64 times as many.
    expect(await steps.count('an encoding', 8_000)).toBeLessThan(few * 12);
  });
});

describe('Retry-After', () => {
  const date = 'Fri, 27 Nov 2026 12:00:00 GMT';

  it.each([
    ['120', 120],
    ['999999', 3_600],
    ['Fri, 27 Nov 2026 12:02:00 GMT', 120],
    ['Fri, 27 Nov 2026 11:59:00 GMT', null],
    ['soon', null],
    ['-5', null],
  ])('of %s is %s seconds, by the clock of the answer', (value, seconds) => {
    expect(toRetryAfterSeconds(value, date)).toBe(seconds);
  });

  it('as a date counts from now if the answer has none', () => {
    const wait = toRetryAfterSeconds(new Date(Date.now() + 600_000).toUTCString(), null);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(600);
  });
});
