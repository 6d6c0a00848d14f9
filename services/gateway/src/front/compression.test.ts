import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { type Answer, asCompressible, asLasting } from '../wire/answer.ts';
import { createCompression } from './compression.ts';

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

describe('pages that many read for the first time at once', () => {
  it('take the memory of one encoder at a time, and come as small as all later ones', async () => {
    const compressed = createCompression();
    const body = Array.from({ length: 3_000 }, (_, line) => `${line} ${Math.sin(line)}`).join('\n');
    const before = process.memoryUsage.rss();
    const reads = Array.from({ length: 40 }, async () => {
      const { body: packed } = await compressed(
        { headers: { 'accept-encoding': 'br' } },
        asLasting({ ...plain, body }),
      );
      return [packed?.length, process.memoryUsage.rss() - before] as const;
    });
    const results = await Promise.all(reads);
    expect(Math.max(...results.map(([, more]) => more))).toBeLessThan(250 * 1_024 ** 2);
    const quick = await compressed(
      { headers: { 'accept-encoding': 'br' } },
      asCompressible({ ...plain, body }),
    );
    for (const [length] of results) expect(length).toBeLessThan(quick.body?.length ?? 0);
  });
});
