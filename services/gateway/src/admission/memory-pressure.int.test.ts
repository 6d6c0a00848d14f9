import { afterEach, describe, expect, it } from '@jest/globals';
import { identity } from '@tds/contracts';
import { eventually, proven, startTestRedis, type TestRedis } from '@tds/test-kit';
import request from 'supertest';
import { redisKeys } from '../redis/redis-keys.ts';
import { newTranscript, newTranscriptFor, VIDEO_ID } from '../test-support/builders.ts';
import { startTestGateway, type TestGateway } from '../test-support/start-gateway.ts';

const FILE = 'Hello';
const LARGE = 'x'.repeat(500_000);
const LARGE_FILES = proven(50, 250);
const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) await next();
});

type Servers = { readonly harness: TestGateway; readonly limits: TestRedis; readonly cache: TestRedis };

/** Two servers that hold next to nothing. */
const startSmall = async (): Promise<Servers> => {
  const limits = await startTestRedis({ maxMemory: '16mb' });
  const cache = await startTestRedis({ keeps: 'cache', maxMemory: '16mb' });
  cleanUps.push(limits.stop, cache.stop);
  const harness = await startTestGateway({ redisUrl: limits.url, redisCacheUrl: cache.url });
  cleanUps.push(harness.stop);
  await harness.cache(newTranscript(FILE), FILE);
  return { harness, limits, cache };
};

type Account = Awaited<ReturnType<TestGateway['addAccount']>>;
const read = (harness: TestGateway, { bearer }: Account, videoId = VIDEO_ID) =>
  request(harness.url).get(`/v1/transcript?video_id=${videoId}`).set(bearer);

/** The requests that a limit has not refused. A body that the flood has evicted is asked of the fetcher, which has none here. */
const admitted = async (count: number, send: (round: number) => PromiseLike<{ status: number }>) => {
  const answers = await Promise.all(Array.from({ length: count }, (_, round) => send(round)));
  return answers.filter(({ status }) => status !== 429).length;
};

const videoOf = (n: number): string => `video${String(n).padStart(6, '0')}`;

/** More than the cache holds, some of them read as well. */
const flood = async (harness: TestGateway): Promise<void> => {
  const reader = await harness.addAccount({ tier: 'paid' });
  for (let n = 0; n < LARGE_FILES; n += 1) {
    const asked = { videoId: videoOf(n), language: 'en', format: 'both' } as const;
    await harness.cache(newTranscriptFor(asked, `${n}${LARGE}`), `${n}${LARGE}`);
    if (n % 4 === 0) expect((await read(harness, reader, videoOf(n))).status).toBe(200);
  }
};

describe('a flood of cached bodies', () => {
  it('evicts no limit, lease or principal: a key has exactly its 60 a minute', async () => {
    const { harness } = await startSmall();
    const account = await harness.addAccount();
    const lease = redisKeys.cold(account.digest);
    await harness.redis.zadd(lease, Date.now() + 900_000, 'held');
    await harness.redis.pexpire(lease, 900_000);
    const startedAt = performance.now();
    expect(await admitted(30, () => read(harness, account))).toBe(30);
    await flood(harness);
    const left = await admitted(70, () => read(harness, account));
    // On a busy machine the first thirty may be a minute ago.
    expect(left).toBeLessThanOrEqual(performance.now() - startedAt < 60_000 ? 30 : 60);
    // Two permits may have been taken ahead, which come back a moment later.
    expect(left).toBeGreaterThanOrEqual(28);
    expect(
      await harness.redis.llen(redisKeys.rate(account.principal.accountId, String(account.principal.keyId))),
    ).toBeGreaterThanOrEqual(58);
    expect(await harness.redis.zcard(lease)).toBe(1);
    expect(await harness.redis.exists(identity.principalsFresh.key())).toBe(1);
    expect(await harness.redis.info('stats')).toContain('evicted_keys:0');
  });
});

describe('without the cache', () => {
  it('limits hold, and cached transcripts come from the fetcher and the object store', async () => {
    const { harness, cache } = await startSmall();
    const account = await harness.addAccount();
    harness.storeFile(newTranscript(FILE), FILE);
    const hit = { cache: 'HIT', creditsCharged: 0 } as const;
    harness.fetcher.commands.getTranscript = async (asked) => newTranscriptFor(asked, FILE, hit);
    await cache.kill();
    const videos = await admitted(1, () => read(harness, account, videoOf(1)));
    expect(videos).toBe(1);
    const readOne = () => read(harness, account, videoOf(1));
    let reads = await admitted(70, readOne);
    // Permits that were taken ahead come back a moment later.
    await eventually(async () => {
      reads += await admitted(1, readOne);
      expect(reads).toBe(59);
    });
    expect(
      await harness.redis.llen(redisKeys.rate(account.principal.accountId, String(account.principal.keyId))),
    ).toBe(60);
  });
});

describe('a full Redis', () => {
  it('counts as none: the gateway counts by itself, reports that it is full, and returns to it when there is room', async () => {
    const { harness } = await startSmall();
    const account = await harness.addAccount();
    harness.identity.commands.authenticateKey = async () => account.principal;
    await harness.redis.config('SET', 'maxmemory', '1');
    await expect(harness.redis.rpush('one', 'more')).rejects.toThrow('OOM');
    expect(await admitted(80, () => read(harness, account))).toBe(60);
    const metrics = await (await fetch(`${harness.health}/metrics`)).text();
    expect(metrics).toMatch(/tds_redis_away\{[^}]*server="limits"[^}]*why="full"[^}]*\} 1/);
    await harness.redis.config('SET', 'maxmemory', '16mb');
    const other = await harness.addAccount();
    await eventually(
      async () => {
        expect((await read(harness, other)).status).toBe(200);
        expect(
          await harness.redis.llen(redisKeys.rate(other.principal.accountId, String(other.principal.keyId))),
        ).toBeGreaterThan(0);
      },
      { everyMs: 200 },
    );
  });
});

describe('entries in the Redis without eviction', () => {
  it('expire by themselves, and no key contains text of callers', async () => {
    const { harness } = await startSmall();
    const account = await harness.addAccount({ tier: 'paid' });
    harness.fetcher.commands.getTranscript = async (asked) => ({
      ...newTranscriptFor(asked, FILE),
      text: FILE,
    });
    for (let n = 0; n < 20; n += 1) {
      expect((await read(harness, account, videoOf(n))).status).toBe(200);
      expect((await read(harness, account)).status).toBe(200);
    }
    await request(harness.url).get('/v1/transcript').set('authorization', `Bearer ${'svc_live_x'}`);
    const keys = await harness.redis.keys('*');
    expect(keys.length).toBeLessThan(10);
    const lives = await Promise.all(keys.map(async (key) => [key, await harness.redis.ttl(key)] as const));
    expect(lives.filter(([, seconds]) => seconds === -1)).toEqual([]);
  });
});
