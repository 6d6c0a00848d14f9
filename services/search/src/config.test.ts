import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';

describe('the environment', () => {
  it('may be empty: the platform is reached directly, by its pages', () => {
    expect(readConfig({})).toEqual({
      platform: {
        origin: 'https://www.youtube.com',
        exits: [{ name: 'direct' }],
        limits: { requestsPerMinute: 60, requestsPerSession: 20, sessionMs: 540_000 },
        proxyBytes: { ofAll: 2_100_000_000, ofCaller: 525_000_000 },
        isReal: true,
        pacedAddresses: 1,
      },
      dataApiOrigin: 'https://www.googleapis.com',
      dataApiKey: undefined,
      listingFreshMs: 3_600_000,
      orphanedAfterMs: 600_000,
    });
  });

  it('has a key that no log shows', () => {
    const { dataApiKey } = readConfig({ PLATFORM_DATA_API_KEY: 'a-key' });
    expect([dataApiKey?.reveal(), JSON.stringify(dataApiKey)]).not.toContain('"a-key"');
    expect(dataApiKey?.reveal()).toBe('a-key');
  });

  it.each([
    ['PLATFORM_ORIGIN', 'youtube'],
    ['PLATFORM_PROXY_URLS', 'http://one:1,socks4://two:2'],
    ['PLATFORM_PROXY_BYTES_PER_DAY', '-1'],
    ['PLATFORM_PROXY_BYTES_PER_ACCOUNT', 'half'],
    ['PLATFORM_DATA_API_ORIGIN', 'googleapis'],
    ['LISTING_FRESH', 'long'],
    ['ORPHANED_AFTER', 'soon'],
  ])('is rejected at the start if %s is %s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });
});
