import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projection } from '@tds/contracts';
import { eventually, sharedRedisUrl, startTestRedis } from '@tds/test-kit';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { createProjections, type ProjectionFailure } from './projections.ts';
import { createRedis, redisReady } from './redis.ts';

const balances = projection({
  owner: 'credits-ledger',
  name: 'balance',
  keyParts: ['accountId'],
  value: z.object({ free: z.number(), note: z.string().optional() }),
  ttlSeconds: 60,
});
const flags = projection({
  owner: 'identity',
  name: 'fresh',
  keyParts: [],
  value: z.literal('1'),
  ttlSeconds: 5,
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
    await projections.writeBody(balances, ['t3'], { free: 1 }, Buffer.from('x'));
    for (const part of ['t1', 't2', 't3']) {
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
    expect(await projections.readBody(balances, ['odd'])).toBeNull();
    await projections.writeIfNewer(balances, ['odd'], { free: 3 }, 1);
    expect(await projections.read(balances, ['odd'])).toEqual({ free: 3 });
  });

  it('a key of another type counts as absent', async () => {
    await redis.rpush(balances.key('list'), 'x');
    const failures: ProjectionFailure[] = [];
    const projections = createProjections(redis, { onFailure: (failure) => failures.push(failure) });
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
          arriving.map((version) =>
            projections.writeIfNewer(balances, [account], { free: version }, version),
          ),
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

describe('bodies', () => {
  it('head and body come back as they were, whatever bytes they hold', async () => {
    const projections = createProjections(redis);
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 5_000 }),
        fc.string({ unit: 'grapheme' }),
        async (bytes, note) => {
          const body = Buffer.from(bytes);
          await projections.writeBody(balances, ['body'], { free: 1, note }, body);
          expect(await projections.readBody(balances, ['body'])).toEqual({ head: { free: 1, note }, body });
        },
      ),
      { numRuns: 100 },
    );
  });

  it('a body that was cut in its head, or whose head has another shape, counts as absent', async () => {
    const projections = createProjections(redis);
    await projections.writeBody(balances, ['cut'], { free: 1 }, Buffer.from('body'));
    const whole = (await redis.getBuffer(balances.key('cut')))!;
    for (const end of [0, 3, 4, 9]) {
      await redis.set(balances.key('cut'), whole.subarray(0, end));
      expect(await projections.readBody(balances, ['cut'])).toBeNull();
    }
    await redis.set(balances.key('cut'), Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.from('{}rest')]));
    expect(await projections.readBody(balances, ['cut'])).toBeNull();
  });
});

describe('with Redis away', () => {
  it('writes end well and reads give null, soon and counted, whether it is frozen or gone', async () => {
    const server = await startTestRedis();
    const own = createRedis(server.url, { name: 'own' });
    const failures: ProjectionFailure[] = [];
    const projections = createProjections(own, { onFailure: (failure) => failures.push(failure) });
    const useAll = async () => {
      const started = performance.now();
      const results = await Promise.all([
        projections.write(balances, ['a'], { free: 1 }),
        projections.writeIfNewer(balances, ['a'], { free: 2 }, 2),
        projections.writeBody(balances, ['b'], { free: 2 }, Buffer.from('x')),
        projections.remove(balances, ['c']),
        projections.read(balances, ['a']),
        projections.readBody(balances, ['b']),
      ]);
      return { results, isSoon: performance.now() - started < 1_000, failed: failures.splice(0).length };
    };
    const away = {
      results: [undefined, undefined, undefined, undefined, null, null],
      isSoon: true,
      failed: 6,
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
  }, 30_000);
});
