import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { type ProxiedWork, platformFields, readPlatformSettings } from './platform-fields.ts';

const read = (environment: Record<string, string>, work: ProxiedWork = 'transcripts') =>
  readPlatformSettings(z.object(platformFields(work)).parse(environment));

describe('the settings of the platform', () => {
  it('name exits in their order: own addresses, then proxies', () => {
    const { exits } = read({
      PLATFORM_PROXY_URLS: ' http://one:1 , socks5://u-{session}:p@two:2, rotating+http://three:3,',
      PLATFORM_SOURCE_ADDRESSES: '2001:db8::/64,192.0.2.7',
    });
    expect(exits).toEqual([
      { name: 'source-1', sourceAddress: '2001:db8::/64' },
      { name: 'source-2', sourceAddress: '192.0.2.7' },
      { name: 'proxy-1', proxyUrl: 'http://one:1' },
      { name: 'proxy-2', proxyUrl: 'socks5://u-{session}:p@two:2' },
      { name: 'proxy-3', proxyUrl: 'rotating+http://three:3' },
    ]);
  });

  it.each([
    'http://us%40er:p%40ss%3Aw%25rd%2C%23%3F%2F%C3%A9@127.0.0.1:1',
    'socks5://us%3Aer:p%40ss@[::1]:1080',
    'https://user@one/',
  ])('take the proxy %s', (proxyUrl) => {
    expect(read({ PLATFORM_PROXY_URLS: proxyUrl }).exits).toEqual([{ name: 'proxy-1', proxyUrl }]);
  });

  it('set a pace for the real platform only, unless one is given', () => {
    const simulator = { PLATFORM_ORIGIN: 'http://127.0.0.1:1' };
    expect(read({}).limits.requestsPerMinute).toBe(60);
    expect(read(simulator).limits.requestsPerMinute).toBe(Number.POSITIVE_INFINITY);
    expect(read({ ...simulator, PLATFORM_REQUESTS_PER_MINUTE: '7' }).limits.requestsPerMinute).toBe(7);
  });

  it('give an account a quarter of the proxied bytes', () => {
    const given = { PLATFORM_PROXY_BYTES_PER_DAY: '1000' };
    expect(read(given).proxyBytes).toEqual({ ofAll: 700, ofCaller: 175 });
    expect(read({ ...given, PLATFORM_PROXY_BYTES_PER_ACCOUNT: '100' }).proxyBytes.ofCaller).toBe(70);
  });

  it.each([{}, { PLATFORM_PROXY_BYTES_PER_DAY: '1000', PLATFORM_PROXY_BYTES_PER_ACCOUNT: '100' }])(
    'let all services together spend what is set for a day, and no more: %j',
    (given) => {
      const together = (which: 'ofAll' | 'ofCaller') =>
        (['transcripts', 'search', 'monitors'] as const).reduce(
          (sum, work) => sum + read(given, work).proxyBytes[which],
          0,
        );
      const { PLATFORM_PROXY_BYTES_PER_DAY = 14_000_000_000, PLATFORM_PROXY_BYTES_PER_ACCOUNT } = given;
      expect(together('ofAll')).toBe(Number(PLATFORM_PROXY_BYTES_PER_DAY));
      expect(together('ofCaller')).toBe(
        Number(PLATFORM_PROXY_BYTES_PER_ACCOUNT ?? Number(PLATFORM_PROXY_BYTES_PER_DAY) / 4),
      );
    },
  );

  it.each([
    ['PLATFORM_PROXY_URLS', 'one:1'],
    ['PLATFORM_PROXY_URLS', 'ftp://one:1'],
    ['PLATFORM_PROXY_URLS', 'rotating+http://'],
    ['PLATFORM_PROXY_URLS', 'http://user:50%off@one:1'],
    ['PLATFORM_PROXY_URLS', 'socks5://user:%ff@one:1'],
    ['PLATFORM_PROXY_URLS', 'http://user:1/2@one:1'],
    ['PLATFORM_PROXY_URLS', 'http://one:1?key=2'],
    ['PLATFORM_PROXY_URLS', 'http://one:1#3'],
    ['PLATFORM_PROXY_URLS', 'http://one:0'],
    ['PLATFORM_PROXY_URLS', 'http://us%3Aer:password@one:1'],
    ['PLATFORM_PROXY_URLS', `socks5://user:${'x'.repeat(256)}@one:1`],
    ['PLATFORM_PROXY_URLS', 'socks5h://one:1'],
    ['PLATFORM_SOURCE_ADDRESSES', '2001:db8::/129'],
    ['PLATFORM_SOURCE_ADDRESSES', '1'],
    ['PLATFORM_SOURCE_ADDRESSES', '010.1.1.1'],
  ])('are rejected if %s is %s', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(name);
  });
});
