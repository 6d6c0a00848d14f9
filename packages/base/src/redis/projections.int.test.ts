import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMMAND_MS, defineContract } from '@tds/contracts';
import { eventually, sharedRedisUrl, startTestRedis } from '@tds/test-kit';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { z } from 'zod';
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
    expect(await projections.read(balances, ['a'])).toBeNull();
    await projections.write(balances, ['a'], { free: 7, note: 'é\u0000"}' });
    await projections.write(flags, [], '1');
    expect(await projections.read(balances, ['a'])).toEqual({ free: 7, note: 'é\u0000"}' });
    expect(await projections.read(balances, ['b'])).toBeNull();
    expect(await projections.read(flags, [])).toBe('1');
    await projections.remove(balances, ['a']);
    expect(await projections.read(balances, ['a'])).toBeNull();
  });

  it('lives as long as its projection says, whichever way it was written', async () => {
    const projections = createProjections(redis);
    await projections.write(balances, ['t1'], { free: 1 });
    await projections.writeIfNewer(balances, ['t2'], { free: 1 }, 1);
    for (const part of ['t1', 't2']) {
      expect(await redis.ttl(balances.key(part))).toBeGreaterThan(55);
      expect(await redis.ttl(balances.key(part))).toBeLessThanOrEqual(60);
    }
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
    expect(await projections.read(balances, ['odd'])).toBeNull();
    await projections.writeIfNewer(balances, ['odd'], { free: 3 }, 1);
    expect(await projections.read(balances, ['odd'])).toEqual({ free: 3 });
  });

  it('a key of another type counts as absent', async () => {
    await redis.rpush(balances.key('list'), 'x');
    const failures: ProjectionFailure[] = [];
    const projections = createProjections(redis, (failure) => failures.push(failure));
    expect(await projections.read(balances, ['list'])).toBeNull();
    expect(failures).toMatchObject([{ projection: 'balance', operation: 'read' }]);
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
        expect(await projections.read(balances, [account])).toEqual({ free: Math.max(...arriving) });
      }),
      { numRuns: 100 },
    );
  });

  it('a write without a version gives way to any version', async () => {
    const projections = createProjections(redis);
    await projections.writeIfNewer(balances, ['w'], { free: 9 }, 9);
    await projections.write(balances, ['w'], { free: 0 });
    await projections.writeIfNewer(balances, ['w'], { free: 2 }, 2);
    expect(await projections.read(balances, ['w'])).toEqual({ free: 2 });
  });

  it.each([-1, 1.5, Number.NaN, 2 ** 53])('%d is refused as a version', async (version) => {
    const write = createProjections(redis).writeIfNewer(balances, ['v'], { free: 1 }, version);
    await expect(write).rejects.toThrow(RangeError);
  });
});

describe('with Redis away', () => {
  it('writes end well and reads give null, soon and counted, whether it is frozen or gone', async () => {
    const server = await startTestRedis();
    const own = createRedis(server.url, { name: 'own' });
    const failures: ProjectionFailure[] = [];
    const projections = createProjections(own, (failure) => failures.push(failure));
    const useAll = async () => {
      const started = performance.now();
      const results = await Promise.all([
        projections.write(balances, ['a'], { free: 1 }),
        projections.writeIfNewer(balances, ['a'], { free: 2 }, 2),
        projections.remove(balances, ['c']),
        projections.read(balances, ['a']),
      ]);
      return {
        results,
        isSoon: performance.now() - started < COMMAND_MS / 2,
        failed: failures.splice(0).length,
      };
    };
    const away = {
      results: [undefined, undefined, undefined, null],
      isSoon: true,
      failed: 4,
    };
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
        await projections.write(balances, ['a'], { free: 1 });
        expect(await projections.read(balances, ['a'])).toEqual({ free: 1 });
      });
    } finally {
      own.disconnect();
      await server.stop();
    }
  });
});
