import { randomUUID } from 'node:crypto';
import type { ServiceError } from '@tds/contracts';
import { loadVideoId } from '@tds/platform-simulator';
import { fakeClock } from '@tds/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startFetcher } from '../test-support/start-fetcher.ts';

let fetcher: Awaited<ReturnType<typeof startFetcher>>;
/** Stands still: no circuit is tried again by the way. */
const clock = fakeClock();
beforeAll(async () => {
  fetcher = await startFetcher({ now: clock.now });
});
afterAll(() => fetcher?.stop());
afterEach(() => fetcher.simulator.faults.clear());

const oddVideos = ['htmlAnswer1', 'wrongVideo1', 'noPlayabil1', 'truncJson01', 'truncJson02', 'garbageTxt1'];
const failureOf = (videoId: string, accountId: string): Promise<ServiceError> =>
  fetcher.get({ videoId, accountId }).then(
    () => Promise.reject(new Error(`${videoId} was delivered`)),
    (thrown) => thrown,
  );

describe('one customer’s odd videos', () => {
  it('leave healthy videos to everybody, the customer included', async () => {
    const accountId = randomUUID();
    for (const videoId of oddVideos) await failureOf(videoId, accountId);
    for (const [at, caller] of [randomUUID(), accountId].entries()) {
      const answer = await fetcher.get({ videoId: loadVideoId(1 + at), accountId: caller });
      expect(answer).toMatchObject({ state: 'delivered', creditsCharged: 1 });
    }
  });
});

describe('while every route to the platform is closed', () => {
  it('callers are told when to come again, and nothing is said of a video that nobody asked about', async () => {
    fetcher.simulator.faults.add({ fault: 'too_many_requests' });
    const failures: ServiceError[] = [];
    for (let n = 100; n < 112; n += 1) failures.push(await failureOf(loadVideoId(n), randomUUID()));
    fetcher.simulator.resetRequests();
    const videoId = loadVideoId(120);
    expect(await failureOf(videoId, randomUUID())).toMatchObject({
      data: { code: 'ip_blocked', retryable: true, retryAfterSeconds: expect.any(Number) },
    });
    expect(fetcher.simulator.requests().byVideo[videoId]).toBeUndefined();
    expect((await fetcher.facts(videoId)).video).toMatchObject({ status: 'unknown', error_class: null });
    expect((await fetcher.facts(loadVideoId(100))).video).toMatchObject({
      status: 'error',
      error_class: 'IpBlocked',
    });
  });
});
