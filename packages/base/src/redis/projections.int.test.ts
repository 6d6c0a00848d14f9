import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { defineContract } from '@tds/contracts';
import { eventually, sharedRedisUrl, startTestRedis } from '@tds/test-kit';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { readProjection } from '../testing/index.ts';
import { createProjections, type ProjectionFailure } from './projections.ts';
import { createRedis, redisReady } from './redis.ts';

const { balance: balances, fresh: flags } = defineContract('credits-ledger', {
  projections: {
    balance: {
      keyParts: ['accountId'],
      value: z.object({ free: z.number(), note: z.string().optional() }),
      ttlSeconds: 60,
    },
    fresh: { keyParts: [], value: z.literal('1'), ttlSeconds: 5 },
  },
});

let redis: Redis;
beforeAll(async () => {
  redis = createRedis(await sharedRedisUrl(), { name: 'test', commandTimeoutMs: 5_000 });
  await redisReady(redis);
});
afterAll(() => redis.disconnect());

describe('values', () => {
  it('what was written is read, until it is removed', async () => {
    const projections = createProjections(redis);
    expect(await readProjection(redis, balances, ['a'])).toBeNull();
    await projections.writeIfNewer(balances, ['a'], { free: 7, note: 'é\u0000"}' }, 0);
    await projections.writeIfNewer(flags, [], '1', 0);
    expect(await readProjection(redis, balances, ['a'])).toEqual({ free: 7, note: 'é\u0000"}' });
    expect(await readProjection(redis, balances, ['b'])).toBeNull();
    expect(await readProjection(redis, flags, [])).toBe('1');
    await projections.remove(balances, ['a']);
    expect(await readProjection(redis, balances, ['a'])).toBeNull();
  });

  it('lives as long as its projection says', async () => {
    const projections = createProjections(redis);
    await projections.writeIfNewer(balances, ['t'], { free: 1 }, 1);
    expect(await redis.ttl(balances.key('t'))).toBeGreaterThan(55);
    expect(await redis.ttl(balances.key('t'))).toBeLessThanOrEqual(60);
  });

  it.each([
    '',
    'nonsense',
    '{}',
    'null',
    '{"version":1}',
    '{"version":1,"value":{"free":"many"}}',
    '{"version":1,"val',
  ])('the unreadable value %j counts as absent, and a write replaces it', async (text) => {
    const projections = createProjections(redis);
    await redis.set(balances.key('odd'), text);
    expect(await readProjection(redis, balances, ['odd'])).toBeNull();
    await projections.writeIfNewer(balances, ['odd'], { free: 3 }, 1);
    expect(await readProjection(redis, balances, ['odd'])).toEqual({ free: 3 });
  });
});

describe('versions', () => {
  it('the newest version stays, in whatever order and however often versions arrive', async () => {
    const projections = createProjections(redis);
    const versions = fc.array(fc.oneof(fc.nat(20), fc.maxSafeNat()), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(fc.uuid(), versions, async (account, arriving) => {
        await Promise.all(
          arriving.map((version) => projections.writeIfNewer(balances, [account], { free: version }, version)),
        );
        expect(await readProjection(redis, balances, [account])).toEqual({ free: Math.max(...arriving) });
      }),
      { numRuns: 100 },
    );
  });

  it.each([-1, 1.5, Number.NaN, 2 ** 53])('%d is refused as a version', async (version) => {
    const write = createProjections(redis).writeIfNewer(balances, ['v'], { free: 1 }, version);
    await expect(write).rejects.toThrow(RangeError);
  });
});

describe('with Redis away', () => {
  it('they end well and counted, whether it is frozen or gone', async () => {
    const server = await startTestRedis();
    const own = createRedis(server.url, { name: 'own' });
    const failures: ProjectionFailure[] = [];
    const projections = createProjections(own, (failure) => failures.push(failure));
    const useAll = async () => {
      const results = await Promise.all([
        projections.writeIfNewer(balances, ['a'], { free: 2 }, 2),
        projections.remove(balances, ['c']),
      ]);
      return { results, failed: failures.splice(0).length };
    };
    const away = { results: [undefined, undefined], failed: 2 };
    try {
      await redisReady(own);
      server.pause();
      expect(await useAll()).toEqual(away);
      server.resume();
      await server.kill();
      await eventually(() => expect(own.status).not.toBe('ready'));
      expect(await useAll()).toEqual(away);
      await server.start();
      await eventually(async () => {
        await projections.writeIfNewer(balances, ['a'], { free: 1 }, 0);
        expect(await readProjection(own, balances, ['a'])).toEqual({ free: 1 });
      });
    } finally {
      own.disconnect();
      await server.stop();
    }
  });
});
