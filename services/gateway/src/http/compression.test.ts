import { setTimeout as sleep } from 'node:timers/promises';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { Answer } from './answer.ts';
import { asCompressible, createCompression, precompress } from './compression.ts';

const text = 'The same sentence again and again. '.repeat(200);
const plain = { status: 200, contentType: 'text/plain', body: Buffer.from(text) };
const headersOf = ({ headers = [] }: Answer) => headers.join(' ');

describe('a text answer', () => {
  const compressed = createCompression();
  const asked = (accepted: string | undefined, answer = asCompressible(plain)) =>
    compressed({ headers: accepted === undefined ? {} : { 'accept-encoding': accepted } }, answer);

  it.each<[string | undefined, string]>([
    [undefined, 'identity'],
    ['', 'identity'],
    ['identity', 'identity'],
    ['compress, deflate', 'identity'],
    ['gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'br'],
    ['gzip, br;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=0.1', 'gzip'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['identity;q=0', 'identity'],
    ['identity, gzip;q=0.5', 'identity'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['gzip;q=nonsense', 'identity'],
    [`${'gzip;q=0,'.repeat(500)}br`, 'br'],
  ])('requested with Accept-Encoding %j is sent as %s', async (accepted, encoding) => {
    const answer = await asked(accepted);
    const added = encoding === 'identity' ? '' : ` Content-Encoding ${encoding}`;
    expect(headersOf(answer)).toBe(`Vary Accept-Encoding${added}`);
    const decode = { br: brotliDecompressSync, gzip: gunzipSync }[encoding] ?? ((body: Buffer) => body);
    expect(decode(answer.body as Buffer).toString()).toBe(text);
  });

  it('is compressed once for concurrent requests, and from memory afterwards', async () => {
    const answer = asCompressible(plain);
    const [one, other] = await Promise.all([asked('br', answer), asked('br', answer)]);
    expect(one).toBe(other);
    expect(asked('br', answer)).toBe(one);
    expect(asked(undefined, answer)).toBe(answer);
  });

  it('is not compressed if it is small, or if the caller does not accept it', () => {
    const small = asCompressible({ ...plain, body: Buffer.from('x'.repeat(1_399)) });
    for (const answer of [small, plain]) {
      expect(asked('br', answer)).toBe(answer);
      expect(headersOf(answer)).toBe('');
    }
  });
});

describe('pages that are compressed at the start', () => {
  it('take the memory of one encoder at a time', async () => {
    const before = process.memoryUsage.rss();
    const body = Array.from({ length: 3_000 }, (_, line) => `${line} ${Math.sin(line)}`).join('\n');
    for (let page = 0; page < 40; page += 1) precompress({ ...plain, body });
    let most = before;
    for (let look = 0; look < 100; look += 1) {
      await sleep(10);
      most = Math.max(most, process.memoryUsage.rss());
    }
    expect(most - before).toBeLessThan(250 * 1_024 ** 2);
  });
});
