import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { defineContract } from '@tds/contracts';
import { eventually, startTestRedis, type TestRedis } from '@tds/test-kit';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { createBodies, MAX_HEAD_BYTES } from './bodies.ts';
import type { ProjectionFailure } from './projections.ts';
import { createRedis, redisReady } from './redis.ts';

const { head: heads, file: files } = defineContract('transcript-fetcher', {
  projections: {
    head: { keyParts: ['tag'], value: z.object({ note: z.string() }), ttlSeconds: 60 },
    file: { keyParts: ['sha256'], value: z.instanceof(Uint8Array), ttlSeconds: 60 },
  },
});
const linked = (name: string, body: Uint8Array | null) => ({
  projection: files,
  keyParts: [name] as [string],
  body,
});

let server: TestRedis;
let redis: Redis;
const failures: ProjectionFailure[] = [];
let bodies: ReturnType<typeof createBodies>;
beforeAll(async () => {
  server = await startTestRedis({ keeps: 'cache', maxMemory: '16mb' });
  redis = createRedis(server.url, { name: 'test', commandTimeoutMs: 5_000 });
  await redisReady(redis);
  bodies = createBodies(redis, (failure) => failures.push(failure));
});
afterAll(async () => {
  redis.disconnect();
  await server.stop();
});
beforeEach(() => redis.flushdb());

describe('a body', () => {
  it('comes back with its head as both were, whatever they hold, in one command', async () => {
    const bytes = fc.uint8Array({ maxLength: 5_000 });
    const text = fc.string({ unit: 'binary' }).map((note) => note.toWellFormed());
    await fc.assert(
      fc.asyncProperty(bytes, text, async (body, note) => {
        await bodies.write(heads, ['tag'], { note }, linked('one', body));
        const found = await bodies.read(heads.key('tag'));
        expect(found && JSON.parse(found.head)).toEqual({ note });
        expect(found?.bodies).toEqual([Buffer.from(body)]);
      }),
      { numRuns: 100 },
    );
  });

  it('is kept once, however many heads lead to it', async () => {
    const body = Buffer.alloc(100_000, 'x');
    for (let tag = 0; tag < 300; tag += 1) {
      await bodies.write(heads, [String(tag)], { note: '' }, linked('shared', body));
    }
    expect(await redis.dbsize()).toBe(301);
    expect((await bodies.read(heads.key('7')))?.bodies).toEqual([body]);
    expect(await bodies.readBody(files, ['shared'])).toEqual(body);
  });

  it('may come with others of its head, in their order', async () => {
    const [one, other] = [Buffer.from('one'), Buffer.from('other')];
    await bodies.write(
      heads,
      ['t'],
      { note: '' },
      linked('one', one),
      linked('none', null),
      linked('other', other),
    );
    expect((await bodies.read(heads.key('t')))?.bodies).toEqual([one, null, other]);
  });

  it('that is too large, or was dropped, leaves its head; an absent or foreign head is none', async () => {
    await bodies.write(heads, ['large'], { note: 'a' }, linked('large', null));
    await bodies.write(heads, ['dropped'], { note: 'a' }, linked('dropped', Buffer.from('x')));
    await redis.del(files.key('dropped'));
    for (const tag of ['large', 'dropped']) {
      expect(await bodies.read(heads.key(tag))).toEqual({ head: '{"note":"a"}', bodies: [null] });
    }
    await redis.set(heads.key('odd'), 'no line');
    for (const tag of ['absent', 'odd']) expect(await bodies.read(heads.key(tag))).toBeNull();
  });

  it('and its head live as long as their projections say', async () => {
    await bodies.write(heads, ['t'], { note: '' }, linked('t', Buffer.from('x')));
    for (const key of [heads.key('t'), files.key('t')]) {
      expect(await redis.ttl(key)).toBeGreaterThan(50);
      expect(await redis.ttl(key)).toBeLessThanOrEqual(60);
    }
  });

  it('has a head of a bounded size, or is not kept', async () => {
    await bodies.write(heads, ['t'], { note: 'x'.repeat(MAX_HEAD_BYTES) }, linked('t', Buffer.from('x')));
    expect(await redis.dbsize()).toBe(0);
  });
});

describe('a full cache', () => {
  it('takes what comes and drops what was not read for longest', async () => {
    const write = (file: number) =>
      bodies.write(heads, [String(file)], { note: '' }, linked(String(file), Buffer.alloc(500_000, file)));
    await write(0);
    // Idle time counts in seconds and is looked at in samples: so this one is idle for an hour, and samples are large.
    const idle = await redis.dumpBuffer(files.key('0'));
    await redis.restore(files.key('0'), 60_000, idle, 'REPLACE', 'IDLETIME', 3_600);
    await redis.config('SET', 'maxmemory-samples', 64);
    for (let file = 1; file < 100; file += 1) await write(file);
    expect(failures).toEqual([]);
    expect((await bodies.read(heads.key('99')))?.bodies[0]?.length).toBe(500_000);
    expect(await redis.exists(files.key('0'))).toBe(0);
  });
});

describe('with the cache away', () => {
  it('writes end well and are counted; reads fail, for the caller to go on without', async () => {
    failures.length = 0;
    await server.kill();
    await eventually(() => expect(redis.status).not.toBe('ready'));
    await bodies.write(heads, ['t'], { note: '' }, linked('t', Buffer.from('x')));
    expect(failures).toMatchObject([{ projection: 'head', operation: 'write' }]);
    await expect(bodies.read(heads.key('t'))).rejects.toThrow();
    await server.start();
    await eventually(() => expect(redis.status).toBe('ready'));
  });
});
