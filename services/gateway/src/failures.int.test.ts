import { afterEach, describe, expect, it } from '@jest/globals';
import { identity, serviceError } from '@tds/contracts';
import { eventually, startTestRedis, type TestRedis } from '@tds/test-kit';
import request from 'supertest';
import { newDelivered, VIDEO_ID } from './test-support/builders.ts';
import { startWorld, type World, type WorldOptions } from './test-support/world.ts';

const FILE = 'Hello';
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) await next();
});

/** A world whose Redis may be hurt. */
/** Not the patience of other tests: here it is what a late Redis does. */
const waits = { REDIS_WAIT: '100ms', REDIS_TIMEOUT: '20s' };

/** Far more than 58 reads need on a busy machine, and less than if each of them had waited for Redis. */
const AT_ONCE_MS = 15_000;

const newWorld = async (options: WorldOptions = {}): Promise<{ world: World; redis: TestRedis }> => {
  const redis = await startTestRedis();
  cleanUps.push(redis.stop);
  const world = await startWorld({ redisUrl: redis.url, environment: waits, ...options });
  cleanUps.push(world.stop);
  await world.cache(newDelivered(FILE), FILE);
  return { world, redis };
};

type Bearer = { authorization: string };
const read = (world: World, bearer: Bearer, videoId = VIDEO_ID) =>
  request(world.url).get(`/v1/transcript?video_id=${videoId}`).set(bearer);

describe.each(['paused', 'killed'] as const)('with Redis %s', (how) => {
  it('cached reads go on at once, with limit and balance, and go back to it when it returns', async () => {
    const { world, redis } = await newWorld();
    const { bearer, principal } = await world.addAccount();
    world.identity.commands.authenticateKey = async () => principal;
    await read(world, bearer);
    if (how === 'paused') redis.pause();
    else await redis.kill();
    await read(world, bearer);
    const start = performance.now();
    const answers = await Promise.all(Array.from({ length: 58 }, () => read(world, bearer)));
    expect(performance.now() - start).toBeLessThan(AT_ONCE_MS);
    expect(answers.map(({ status }) => status)).toEqual(Array(58).fill(200));
    expect(answers[0]?.headers).toMatchObject({ 'x-cache': 'HIT', 'x-credits-balance': '100' });
    await read(world, bearer);
    expect((await read(world, bearer)).status).toBe(429);
    if (how === 'paused') redis.resume();
    else await redis.start();
    const other = await world.addAccount();
    world.identity.commands.authenticateKey = async () => other.principal;
    await eventually(
      async () => {
        await read(world, other.bearer);
        expect(await world.redis.llen(`gateway:rate:${other.digest}`)).toBeGreaterThan(0);
      },
      { everyMs: 200 },
    );
  });

  it('cold fetches are still counted, in each process', async () => {
    const { world, redis } = await newWorld();
    const { bearer, principal } = await world.addAccount();
    world.identity.commands.authenticateKey = async () => principal;
    const held = Promise.withResolvers<void>();
    world.fetcher.commands.getTranscript = async () => {
      await held.promise;
      throw serviceError('video_unavailable');
    };
    if (how === 'paused') redis.pause();
    else await redis.kill();
    const sent = [1, 2].map((n) => read(world, bearer, `cold000000${n}`).then(({ status }) => status));
    await eventually(() => expect(world.fetcher.asked).toHaveLength(2));
    const third = read(world, bearer, 'cold0000003').then(({ status }) => status);
    await eventually(() => expect(world.fetcher.asked.at(-1)?.request).toMatchObject({ cacheOnly: true }));
    held.resolve();
    expect(await Promise.all(sent)).toEqual([410, 410]);
    await third;
    if (how === 'paused') redis.resume();
  });
});

describe('with identity away', () => {
  it('a key lives on what was learnt: ten seconds here, and no use prolongs it', async () => {
    let nowMs = 0;
    const { world } = await newWorld({ overrides: { clock: () => nowMs } });
    const { bearer } = await world.addAccount({ tier: 'paid' });
    await read(world, bearer);
    await world.identity.stop();
    await world.redis.del(identity.principalsFresh.key());
    for (const ms of [3_000, 6_000, 9_000, 9_999]) {
      nowMs = ms;
      expect((await read(world, bearer)).status).toBe(200);
    }
    nowMs = 10_000;
    const refused = await read(world, bearer);
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({ code: 'service_unavailable', retryable: true });
  });

  it('the projection goes on for as long as its owner keeps it fresh', async () => {
    let nowMs = 0;
    const { world } = await newWorld({ overrides: { clock: () => nowMs } });
    const { bearer } = await world.addAccount({ tier: 'paid' });
    await world.identity.stop();
    for (nowMs = 0; nowMs < 60_000; nowMs += 15_000) expect((await read(world, bearer)).status).toBe(200);
    await world.redis.del(identity.principalsFresh.key());
    nowMs += 15_000;
    expect((await read(world, bearer)).status).toBe(503);
  });

  it('no revoked key works longer than 30 s, with Redis and the broker gone too', async () => {
    let nowMs = 0;
    const { world, redis } = await newWorld({ overrides: { clock: () => nowMs } });
    const { bearer, digest } = await world.addAccount({ tier: 'paid' });
    await world.redis.expire(identity.principalsFresh.key(), 15);
    // Revoked now; identity has just died, so nobody removes the projection and nobody is told.
    await world.identity.stop();
    nowMs = 14_000;
    expect((await read(world, bearer)).status).toBe(200);
    await redis.kill();
    await world.nats.kill();
    nowMs = 23_999;
    expect((await read(world, bearer)).status).toBe(200);
    nowMs = 24_000;
    expect((await read(world, bearer)).status).toBe(503);
    expect(identity.principal.key(digest)).toContain(digest);
    await world.nats.start();
  });
});

describe('with the broker away', () => {
  it('cached reads go on, and what needs a service says that it is away', async () => {
    const { world } = await newWorld();
    const { bearer } = await world.addAccount();
    await world.nats.kill();
    const hit = await read(world, bearer);
    expect(hit.status).toBe(200);
    expect(hit.headers).toMatchObject({ 'x-cache': 'HIT', 'x-credits-balance': '100' });
    const cold = await read(world, bearer, 'cold0000001');
    expect(cold.status).toBe(503);
    expect(cold.headers['retry-after']).toBe(String(cold.body.retry_after));
    expect(cold.body).toMatchObject({
      code: 'service_unavailable',
      errorClass: 'UpstreamError',
      retryable: true,
    });
    await world.nats.start();
  });
});

describe('stopping', () => {
  it('finishes what is in hand, and takes nothing new', async () => {
    const { world } = await newWorld();
    const { bearer } = await world.addAccount();
    const held = Promise.withResolvers<void>();
    world.fetcher.commands.getTranscript = async () => {
      await held.promise;
      throw serviceError('video_unavailable');
    };
    const inHand = read(world, bearer, 'cold0000001').then(({ status }) => status);
    await eventually(() => expect(world.fetcher.asked).toHaveLength(1));
    const stopped = world.stopGateways();
    await eventually(() => expect(fetch(`${world.url}/`)).rejects.toThrow());
    held.resolve();
    expect(await inHand).toBe(410);
    await stopped;
  });
});
