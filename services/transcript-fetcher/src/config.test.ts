import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';

describe('the environment', () => {
  it('may be empty: the platform is reached directly', () => {
    expect(readConfig({})).toEqual({
      platformOrigin: 'https://www.youtube.com',
      proxyUrls: [],
      proxyBytes: { ofAll: 10_000_000_000, ofCaller: 2_500_000_000 },
      canaryVideos: [],
      slots: { all: [32, 24], most: [32, 24] },
      orphanedAfterMs: 600_000,
    });
  });

  it('lists proxies separated by commas, with any blanks', () => {
    const { proxyUrls } = readConfig({ PLATFORM_PROXY_URLS: ' http://one:1 , https://two:2/,' });
    expect(proxyUrls).toEqual(['http://one:1', 'https://two:2/']);
  });

  it('lets no process use more places than there are', () => {
    const given = { PLACES_FOR_READS: '8', PLACES_FOR_JOBS: '96' };
    expect(readConfig(given).slots).toEqual({ all: [8, 96], most: [8, 24] });
  });

  it.each([
    ['PLATFORM_ORIGIN', 'youtube'],
    ['PLATFORM_PROXY_URLS', 'http://one:1,socks5://two:2'],
    ['PLATFORM_PROXY_BYTES_PER_DAY', '-1'],
    ['PLATFORM_PROXY_BYTES_PER_ACCOUNT', 'half'],
    ['PLACES_FOR_READS', '0'],
    ['PLACES_FOR_JOBS', 'many'],
    ['JOBS_AT_ONCE', '0'],
    ['ORPHANED_AFTER', 'soon'],
    ['NEW_ACCOUNT_FETCHES_PER_DAY', '0'],
    ['CANARY_VIDEOS', 'manualEn001,asrOnlyEn01'],
    ['CANARY_VIDEOS', 'manualEn001,asrOnlyEn01,notAnId'],
    ['CANARY_VIDEOS', 'manualEn001,manualEn001,manualEn001'],
  ])('is refused at the start if %s is %s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(name);
  });
});
