import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually, startTestRedis, type TestRedis } from '@tds/test-kit';
import type { Redis } from 'ioredis';
import { createLog } from '../log/log.ts';
import { createRedis, redisReady } from './redis.ts';

/** Less than the 5 s after which a silent connection is given up: a command without a limit would take that long. */
/** What fails without a connection is not even sent, so it waits for nothing. */
const NOT_SENT = "Stream isn't writeable";

let server: TestRedis;
let redis: Redis;
const lines: { msg: string }[] = [];

beforeAll(async () => {
  server = await startTestRedis();
});
afterAll(() => server.stop());

beforeEach(async () => {
  lines.length = 0;
  const log = createLog({
    service: 'test',
    destination: { write: (line) => void lines.push(JSON.parse(line)) },
  });
  redis = createRedis(server.url, { name: 'test', log });
  await redisReady(redis);
});
afterEach(() => redis.disconnect());

/** Whatever waits for a server that is frozen ends by the deadline of the test. */
const failureOf = (command: () => Promise<unknown>) => expect(command()).rejects.toThrow();

describe('createRedis', () => {
  it('a frozen server fails commands, however many wait for it, and is used again once it thaws', async () => {
    server.pause();
    try {
      await failureOf(() => redis.get('a'));
      await Promise.all(Array.from({ length: 50 }, () => failureOf(() => redis.incr('b'))));
    } finally {
      server.resume();
    }
    await eventually(async () => expect(await redis.ping()).toBe('PONG'));
  });

  it('a server that became a replica is left, for its name leads to the one that takes writes', async () => {
    const id = () => redis.client('ID');
    const before = await id();
    await redis.replicaof('127.0.0.1', '1');
    try {
      await expect(redis.set('a', '1')).rejects.toThrow('READONLY');
      await eventually(async () => expect(await id()).not.toBe(before));
      // It may be the same server for a while: reads of others must not lose their connection with each write.
      const next = await id();
      await expect(redis.set('a', '1')).rejects.toThrow('READONLY');
      expect(await id()).toBe(next);
    } finally {
      await redis.replicaof('NO', 'ONE');
    }
  });

  it('a freeze that lasts ends in a new connection without anybody asking', async () => {
    server.pause();
    try {
      await failureOf(() => redis.get('a'));
      await eventually(() => expect(redis.status).not.toBe('ready'));
      await expect(redis.get('a')).rejects.toThrow(NOT_SENT);
    } finally {
      server.resume();
    }
    await eventually(async () => expect(await redis.ping()).toBe('PONG'));
  });

  it('a killed server fails commands at once, also those under way, and is used again when it is back', async () => {
    server.pause();
    const underWay = failureOf(() => redis.get('a'));
    await server.kill();
    await underWay;
    await eventually(() => expect(redis.status).not.toBe('ready'));
    await expect(redis.get('a')).rejects.toThrow(NOT_SENT);
    await server.start();
    await eventually(async () => expect(await redis.ping()).toBe('PONG'));
    expect(lines.map((line) => line.msg)).toEqual(['redis is away', 'redis is back']);
  });
});

describe('redisReady', () => {
  it('says in time that no server answers', async () => {
    const away = createRedis('redis://127.0.0.1:9', { name: 'away' });
    await expect(redisReady(away, 200)).rejects.toThrow('redis did not answer within 200 ms');
    away.disconnect();
  });
});
