import { describe, expect, it } from '@jest/globals';
import { readConfig } from './config.ts';

describe('the environment', () => {
  it('may be empty: the platform is reached directly', () => {
    expect(readConfig({})).toEqual({
      platform: {
        origin: 'https://www.youtube.com',
        exits: [{ name: 'direct' }],
        limits: { requestsPerMinute: 60, requestsPerSession: 20, sessionMs: 540_000 },
        proxyBytes: { ofAll: 9_800_000_000, ofCaller: 2_450_000_000 },
        isReal: true,
        pacedAddresses: 1,
      },
      poTokens: null,
      canaryVideos: expect.arrayContaining(['jNQXAC9IVRw']),
      slots: { all: { reads: 8, jobs: 4 }, max: { reads: 8, jobs: 4 } },
      orphanedAfterMs: 600_000,
    });
  });

  it.each([
    ['two fixed proxies', 'http://one:1,http://two:2', { reads: 16, jobs: 8 }],
    ['a rotating one', 'http://user-{session}:secret@gateway:1', { reads: 32, jobs: 24 }],
  ])('asks the real platform by as much at once as the addresses of %s bear', (_name, proxies, all) => {
    expect(readConfig({ PLATFORM_PROXY_URLS: proxies }).slots.all).toEqual(all);
  });

  it('has known videos on the real platform only, unless they are given', () => {
    const simulator = { PLATFORM_ORIGIN: 'http://127.0.0.1:1' };
    expect(readConfig({}).canaryVideos).toHaveLength(5);
    expect(readConfig({ CANARY_VIDEOS: 'none' }).canaryVideos).toEqual([]);
    expect(readConfig(simulator).canaryVideos).toEqual([]);
  });

  it('lets no process use more places than there are', () => {
    const given = { SLOTS_FOR_READS: '8', SLOTS_FOR_JOBS: '96' };
    expect(readConfig(given).slots).toEqual({ all: { reads: 8, jobs: 96 }, max: { reads: 8, jobs: 24 } });
  });

  it.each([
    ['PLATFORM_ORIGIN', 'youtube'],
    ['PLATFORM_PROXY_URLS', 'http://one:1,socks4://two:2'],
    ['PLATFORM_SOURCE_ADDRESSES', 'eth0'],
    ['PLATFORM_REQUESTS_PER_MINUTE', '0'],
    ['PLATFORM_SESSION_TIME', 'short'],
    ['PLATFORM_PROXY_BYTES_PER_DAY', '-1'],
    ['PLATFORM_PROXY_BYTES_PER_ACCOUNT', 'half'],
    ['SLOTS_FOR_READS', '0'],
    ['SLOTS_FOR_JOBS', 'many'],
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
