import { afterEach, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { eventually, startTestRedis, type TestRedis } from '@tds/test-kit';
import request from 'supertest';
import { deliveredFor, newDelivered, VIDEO_ID } from '../test-support/builders.ts';
import { startWorld, type World } from '../test-support/world.ts';

const FILE = 'Hello';
const LARGE = 'x'.repeat(500_000);
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) await next();
});

type Servers = { readonly world: World; readonly limits: TestRedis; readonly cache: TestRedis };

/** Two servers that hold next to nothing. */
const startSmall = async (): Promise<Servers> => {
  const limits = await startTestRedis({ maxMemory: '16mb' });
  const cache = await startTestRedis({ keeps: 'cache', maxMemory: '16mb' });
  cleanUps.push(limits.stop, cache.stop);
  const world = await startWorld({ redisUrl: limits.url, redisCacheUrl: cache.url });
  cleanUps.push(world.stop);
  await world.cache(newDelivered(FILE), FILE);
  return { world, limits, cache };
};

type Account = Awaited<ReturnType<World['addAccount']>>;
const read = (world: World, { bearer }: Account, videoId = VIDEO_ID) =>
  request(world.url).get(`/v1/transcript?video_id=${videoId}`).set(bearer);

const admitted = async (count: number, send: (round: number) => PromiseLike<{ status: number }>) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, round) => send(round)));
  return answers.filter(({ status }) => status === 200).length;
};

const videoOf = (n: number): string => `video${String(n).padStart(6, '0')}`;

/** Many times what the cache holds, each read by somebody as well. */
const flood = async (world: World): Promise<void> => {
  const reader = await world.addAccount({ tier: 'paid' });
  for (let n = 0; n < 120; n += 1) {
    const asked = { videoId: videoOf(n), language: 'en', format: 'both' } as const;
    await world.cache(deliveredFor(asked, `${n}${LARGE}`), `${n}${LARGE}`);
    if (n % 4 === 0) expect((await read(world, reader, videoOf(n))).status).toBe(200);
  }
};

describe('a flood of cached bodies', () => {
  it('drops no limit, no lease and no word of identity: a key has its 60 a minute and not one more', async () => {
    const { world } = await startSmall();
    const account = await world.addAccount();
    const lease = `gateway:cold:${account.digest}`;
    await world.redis.zadd(lease, Date.now() + 40_000, 'held');
    await world.redis.pexpire(lease, 40_000);
    expect(await admitted(30, () => read(world, account))).toBe(30);
    await flood(world);
    const left = await admitted(70, () => read(world, account));
    expect(left).toBeLessThanOrEqual(30);
    // Two places may have been taken ahead, which come back a moment later.
    expect(left).toBeGreaterThanOrEqual(28);
    expect(await world.redis.llen(`gateway:rate:${account.digest}`)).toBeGreaterThanOrEqual(58);
    expect(await world.redis.zcard(lease)).toBe(1);
    expect(await world.redis.exists(identity.principalsFresh.key())).toBe(1);
    expect(await world.redis.info('stats')).toContain('evicted_keys:0');
  });
});

describe('without the cache', () => {
  it('limits hold as before, and what is cached comes by the fetcher and the object store', async () => {
    const { world, cache } = await startSmall();
    const account = await world.addAccount();
    world.storeFile(newDelivered(FILE), FILE);
    const hit = { cache: 'HIT', creditsCharged: 0 } as const;
    world.fetcher.commands.getTranscript = async (asked) => deliveredFor(asked, FILE, hit);
    await cache.kill();
    const videos = await admitted(1, () => read(world, account, videoOf(1)));
    expect(videos).toBe(1);
    expect(await admitted(70, () => read(world, account, videoOf(1)))).toBe(59);
    expect(await world.redis.llen(`gateway:rate:${account.digest}`)).toBe(60);
  });
});

describe('a Redis without room for another count', () => {
  it('is as good as none: the gateway counts by itself, tells that it is full, and comes back when there is room', async () => {
    const { world } = await startSmall();
    const account = await world.addAccount();
    world.identity.commands.authenticateKey = async () => account.principal;
    await world.redis.config('SET', 'maxmemory', '1');
    await expect(world.redis.rpush('one', 'more')).rejects.toThrow('OOM');
    expect(await admitted(80, () => read(world, account))).toBe(60);
    const metrics = await (await fetch(`${world.health}/metrics`)).text();
    expect(metrics).toMatch(/tds_redis_away\{[^}]*server="limits"[^}]*why="full"[^}]*\} 1/);
    await world.redis.config('SET', 'maxmemory', '16mb');
    const other = await world.addAccount();
    await eventually(
      async () => {
        expect((await read(world, other)).status).toBe(200);
        expect(await world.redis.llen(`gateway:rate:${other.digest}`)).toBeGreaterThan(0);
      },
      { everyMs: 200 },
    );
  });
});

describe('whatever the gateway keeps in the Redis that drops nothing', () => {
  it('goes by itself, but for one marker, and none of it is named by what a caller asks for', async () => {
    const { world } = await startSmall();
    const account = await world.addAccount({ tier: 'paid' });
    world.fetcher.commands.getTranscript = async (asked) => ({
      ...deliveredFor(asked, FILE),
      text: FILE,
    });
    for (let n = 0; n < 20; n += 1) {
      expect((await read(world, account, videoOf(n))).status).toBe(200);
      expect((await read(world, account)).status).toBe(200);
    }
    await request(world.url).get('/v1/transcript').set('authorization', `Bearer ${'svc_live_x'}`);
    const keys = await world.redis.keys('*');
    expect(keys.length).toBeLessThan(10);
    const lives = await Promise.all(keys.map(async (key) => [key, await world.redis.ttl(key)] as const));
    expect(lives.filter(([, seconds]) => seconds === -1).map(([key]) => key)).toEqual([
      'gateway:reads-by-key:since',
    ]);
  });
});
