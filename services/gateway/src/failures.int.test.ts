import { afterEach, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { eventually, startTestRedis, type TestRedis } from '@tds/test-kit';
import request from 'supertest';
import { redisKeys } from './redis/redis-keys.ts';
import { newTranscript, VIDEO_ID } from './test-support/builders.ts';
import { type HarnessOptions, startTestGateway, type TestGateway } from './test-support/start-gateway.ts';

const FILE = 'Hello';
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) await next();
});

/**
 * Not the patience of other tests: here it is what a late Redis does. A command that waited for a paused one itself would
 * outlast its test.
 */
const waits = { REDIS_WAIT: '100ms', REDIS_TIMEOUT: '10m' };

const newHarness = async (
  options: HarnessOptions = {},
): Promise<{ harness: TestGateway; redis: TestRedis }> => {
  const redis = await startTestRedis();
  cleanUps.push(redis.stop);
  const harness = await startTestGateway({ redisUrl: redis.url, environment: waits, ...options });
  cleanUps.push(harness.stop);
  await harness.cache(newTranscript(FILE), FILE);
  return { harness, redis };
};

type Bearer = { authorization: string };
const read = ({ url }: Pick<TestGateway, 'url'>, bearer: Bearer, videoId = VIDEO_ID) =>
  request(url).get(`/v1/transcript?video_id=${videoId}`).set(bearer);

describe.each(['paused', 'killed'] as const)('with Redis %s', (how) => {
  it('cached reads continue at once, with limit and balance, and return to it when it is back', async () => {
    const { harness, redis } = await newHarness();
    const { bearer, principal } = await harness.addAccount();
    harness.identity.commands.authenticateKey = async () => principal;
    await read(harness, bearer);
    const other = await harness.addAccount();
    if (how === 'paused') redis.pause();
    else await redis.kill();
    await read(harness, bearer);
    const answers = await Promise.all(Array.from({ length: 58 }, () => read(harness, bearer)));
    expect(answers.map(({ status }) => status)).toEqual(Array(58).fill(200));
    expect(answers[0]?.headers).toMatchObject({ 'x-cache': 'HIT', 'x-credits-balance': '100' });
    // The very first counts here too if Redis was late with it, so the limit is reached now or with one more.
    await read(harness, bearer);
    expect((await read(harness, bearer)).status).toBe(429);
    if (how === 'paused') redis.resume();
    else await redis.start();
    harness.identity.commands.authenticateKey = async () => other.principal;
    await eventually(
      async () => {
        await read(harness, other.bearer);
        expect(
          await harness.redis.llen(redisKeys.rate(other.principal.accountId, String(other.principal.keyId))),
        ).toBeGreaterThan(0);
      },
      { everyMs: 200 },
    );
  });

  it('cold fetches are still counted, in each process', async () => {
    const { harness, redis } = await newHarness();
    const { bearer, principal } = await harness.addAccount();
    harness.identity.commands.authenticateKey = async () => principal;
    const held = Promise.withResolvers<void>();
    harness.fetcher.commands.getTranscript = async () => {
      await held.promise;
      throw serviceError('video_unavailable');
    };
    if (how === 'paused') redis.pause();
    else await redis.kill();
    const sent = [1, 2].map((n) => read(harness, bearer, `cold000000${n}`).then(({ status }) => status));
    await eventually(() => expect(harness.fetcher.asked).toHaveLength(2));
    const third = read(harness, bearer, 'cold0000003').then(({ status }) => status);
    await eventually(() => expect(harness.fetcher.asked.at(-1)?.request).toMatchObject({ cacheOnly: true }));
    held.resolve();
    expect(await Promise.all(sent)).toEqual([410, 410]);
    await third;
    if (how === 'paused') redis.resume();
  });
});

describe('without identity', () => {
  it('a key is accepted from memory for ten seconds, which no use prolongs', async () => {
    let nowMs = 0;
    const { harness } = await newHarness({ overrides: { clock: () => nowMs } });
    const { bearer } = await harness.addAccount({ tier: 'paid' });
    await read(harness, bearer);
    await harness.identity.stop();
    await harness.redis.del(identity.principalsFresh.key());
    for (const ms of [3_000, 6_000, 9_000, 9_999]) {
      nowMs = ms;
      expect((await read(harness, bearer)).status).toBe(200);
    }
    nowMs = 10_000;
    const refused = await read(harness, bearer);
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: 'service_unavailable', retryable: true });
  });

  it('projected principals are accepted while identity keeps them fresh', async () => {
    let nowMs = 0;
    const { harness } = await newHarness({ overrides: { clock: () => nowMs } });
    const { bearer } = await harness.addAccount({ tier: 'paid' });
    await harness.identity.stop();
    for (nowMs = 0; nowMs < 60_000; nowMs += 15_000) expect((await read(harness, bearer)).status).toBe(200);
    await harness.redis.del(identity.principalsFresh.key());
    nowMs += 15_000;
    expect((await read(harness, bearer)).status).toBe(503);
  });

  it('a revoked key works for at most 30 s, even without Redis and the broker', async () => {
    let nowMs = 0;
    const { harness, redis } = await newHarness({ overrides: { clock: () => nowMs } });
    const { bearer, digest } = await harness.addAccount({ tier: 'paid' });
    await harness.redis.expire(identity.principalsFresh.key(), 15);
    // Revoked now; identity has just died, so the projection stays and no gateway hears of it.
    await harness.identity.stop();
    nowMs = 14_000;
    expect((await read(harness, bearer)).status).toBe(200);
    await redis.kill();
    await harness.nats.kill();
    nowMs = 23_999;
    expect((await read(harness, bearer)).status).toBe(200);
    nowMs = 24_000;
    expect((await read(harness, bearer)).status).toBe(503);
    expect(identity.principal.key(digest)).toContain(digest);
    await harness.nats.start();
  });
});

describe('without the broker', () => {
  it('cached reads continue, and other requests answer that a service is away', async () => {
    const { harness } = await newHarness();
    const { bearer } = await harness.addAccount();
    await harness.nats.kill();
    const hit = await read(harness, bearer);
    expect(hit.status).toBe(200);
    expect(hit.headers).toMatchObject({ 'x-cache': 'HIT', 'x-credits-balance': '100' });
    const cold = await read(harness, bearer, 'cold0000001');
    expect(cold.status).toBe(503);
    expect(cold.headers['retry-after']).toBe(String(cold.body.retry_after));
    expect(cold.body).toMatchObject({
      code: 'service_unavailable',
      errorClass: 'UpstreamError',
      retryable: true,
    });
    await harness.nats.start();
  });

  it('a gateway starts and serves cached reads; when the broker comes, it asks and hears the others', async () => {
    const { harness } = await newHarness();
    const { bearer, principal } = await harness.addAccount();
    await harness.nats.kill();
    const late = await harness.addGateway();
    expect((await fetch(`${late.health}/ready`)).status).toBe(200);
    expect((await read(late, bearer)).headers).toMatchObject({
      'x-cache': 'HIT',
      'x-credits-balance': '100',
    });
    expect((await read(late, bearer, 'cold0000001')).status).toBe(503);
    await harness.nats.start();
    harness.fetcher.commands.getTranscript = async () => {
      throw serviceError('video_unavailable');
    };
    await eventually(async () => expect((await read(late, bearer, 'cold0000001')).status).toBe(410));
    const { accountId } = principal;
    await harness.broadcast(identity.accountStatusChanged, { accountId, status: 'closed', version: 2 });
    await eventually(async () => expect((await read(late, bearer)).body.code).toBe('account_closed'));
  });
});

describe('stopping', () => {
  it('finishes running requests, and accepts no new ones', async () => {
    const { harness } = await newHarness();
    const { bearer } = await harness.addAccount();
    const held = Promise.withResolvers<void>();
    harness.fetcher.commands.getTranscript = async () => {
      await held.promise;
      throw serviceError('video_unavailable');
    };
    const inHand = read(harness, bearer, 'cold0000001').then(({ status }) => status);
    await eventually(() => expect(harness.fetcher.asked).toHaveLength(1));
    const stopped = harness.stopGateways();
    await eventually(() => expect(fetch(`${harness.url}/`)).rejects.toThrow());
    held.resolve();
    expect(await inHand).toBe(410);
    await stopped;
  });
});
