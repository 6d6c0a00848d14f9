import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { eventually } from '@tds/test-kit';
import request from 'supertest';
import { redisKeys } from '../redis/redis-keys.ts';
import { newTranscript, newTranscriptFor } from '../test-support/builders.ts';
import { type Bearer, FILE, startTwoGateways, type TwoGateways } from '../test-support/start-two-gateways.ts';

let harness: TwoGateways['harness'];
let second: TwoGateways['second'];
let read: TwoGateways['read'];
beforeAll(async () => {
  ({ harness, second, read } = await startTwoGateways());
});
afterAll(() => harness?.stop());

describe('concurrent cold fetches', () => {
  const hold = () => {
    const held = Promise.withResolvers<void>();
    harness.fetcher.commands.getTranscript = async ({ cacheOnly }) => {
      if (cacheOnly) throw serviceError('transcript_not_ready');
      await held.promise;
      throw serviceError('video_unavailable');
    };
    return () => held.resolve();
  };
  let video = 0;
  const cold = (bearer: Bearer, url = harness.url) =>
    request(url)
      .get(`/v1/transcript?video_id=cold${String(++video).padStart(7, '0')}`)
      .set(bearer);
  const held = ({ limitId }: Principal) => harness.redis.zcard(redisKeys.cold(String(limitId)));

  it('are two for a free key, over all gateways; hits pass; each end returns a lease', async () => {
    const { bearer, principal } = await harness.addAccount();
    const letGo = hold();
    const waiting = [cold(bearer), cold(bearer, second.url)].map((sent) => sent.then(({ status }) => status));
    await eventually(async () => expect(await held(principal)).toBe(2));
    const refused = await cold(bearer);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'concurrency_cap', retry_after: 1 });
    expect((await read(bearer)).headers['x-cache']).toBe('HIT');
    letGo();
    expect(await Promise.all(waiting)).toEqual([410, 410]);
    expect(await held(principal)).toBe(0);
    expect((await cold(bearer)).status).toBe(410);
  });

  it('are ten for a paid key', async () => {
    const { bearer, principal } = await harness.addAccount({ tier: 'paid' });
    const letGo = hold();
    const answered: number[] = [];
    const sent = Array.from({ length: 12 }, () => cold(bearer).then(({ status }) => answered.push(status)));
    await eventually(async () => expect([answered, await held(principal)]).toEqual([[429, 429], 10]));
    letGo();
    await Promise.all(sent);
    expect(answered).toEqual([429, 429, ...Array(10).fill(410)]);
  });

  it('are released when their gateway has died', async () => {
    const { bearer, principal } = await harness.addAccount();
    const [seconds] = await harness.redis.time();
    const key = redisKeys.cold(String(principal.limitId));
    await harness.redis.zadd(key, Number(seconds) * 1_000 - 1, 'one', Number(seconds) * 1_000 - 1, 'other');
    hold()();
    expect((await cold(bearer)).status).toBe(410);
    await harness.redis.zadd(
      key,
      Number(seconds) * 1_000 + 39_000,
      'one',
      Number(seconds) * 1_000 + 39_000,
      'other',
    );
    expect((await cold(bearer)).status).toBe(429);
  });

  it('beyond the cap, a transcript cached by the fetcher only is answered', async () => {
    const { bearer, principal } = await harness.addAccount();
    const letGo = hold();
    const waiting = [cold(bearer), cold(bearer)].map((sent) => sent.then(({ status }) => status));
    await eventually(async () => expect(await held(principal)).toBe(2));
    const hit = { cache: 'HIT', creditsCharged: 0 } as const;
    harness.storeFile(newTranscript(FILE), FILE);
    expect((await cold(bearer)).status).toBe(429);
    harness.fetcher.commands.getTranscript = async (asked) => {
      if (!asked.cacheOnly) throw serviceError('unexpected_error');
      return newTranscriptFor(asked, FILE, hit);
    };
    const answer = await cold(bearer);
    expect(answer.status).toBe(200);
    expect(answer.headers['x-cache']).toBe('HIT');
    letGo();
    await Promise.all(waiting);
  });

  it('beyond the cap, a broadcast known to be not ready is answered', async () => {
    const { bearer, principal } = await harness.addAccount();
    const letGo = hold();
    const waiting = [cold(bearer), cold(bearer)].map((sent) => sent.then(({ status }) => status));
    await eventually(async () => expect(await held(principal)).toBe(2));
    harness.fetcher.commands.getTranscript = async () => {
      throw serviceError('transcript_not_ready', { errorClass: 'NoCaptions', retryAfterSeconds: 300 });
    };
    const answer = await cold(bearer);
    expect([answer.status, answer.headers['retry-after']]).toEqual([404, '300']);
    expect(answer.body).toMatchObject({ code: 'transcript_not_ready', retryable: true, retry_after: 300 });
    letGo();
    await Promise.all(waiting);
  });

  it('continue when their caller leaves', async () => {
    const { bearer, principal } = await harness.addAccount();
    let isEnded = false;
    const left = Promise.withResolvers<void>();
    harness.fetcher.commands.getTranscript = async (_request, { signal }) => {
      await left.promise;
      isEnded = !signal.aborted;
      throw serviceError('video_unavailable');
    };
    const controller = new AbortController();
    const sent = fetch(`${harness.url}/v1/transcript?video_id=leaves00001`, {
      headers: bearer,
      signal: controller.signal,
    });
    await eventually(async () => expect(await held(principal)).toBe(1));
    controller.abort();
    await expect(sent).rejects.toThrow();
    left.resolve();
    await eventually(() => expect(isEnded).toBe(true));
    await eventually(async () => expect(await held(principal)).toBe(0));
  });
});
