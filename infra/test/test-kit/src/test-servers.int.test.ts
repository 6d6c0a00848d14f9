import { describe, expect, it } from '@jest/globals';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { Redis } from 'ioredis';
import { sharedRedisUrl, startTestNats, startTestRedis, type TestNats } from './index.ts';

async function withManager<T>(
  nats: TestNats,
  use: (manager: Awaited<ReturnType<typeof jetstreamManager>>) => Promise<T>,
): Promise<T> {
  const connection = await connect({ servers: nats.servers });
  try {
    return await use(await jetstreamManager(connection));
  } finally {
    await connection.close();
  }
}

const countStreams = (nats: TestNats): Promise<number> =>
  withManager(nats, async (manager) => (await manager.getAccountInfo()).streams);

describe('a private NATS server', () => {
  it('keeps its streams when it is killed and loses them when it is wiped', async () => {
    const nats = await startTestNats();
    await withManager(nats, (manager) => manager.streams.add({ name: 'facts', subjects: ['facts'] }));
    await nats.kill();
    await expect(connect({ servers: nats.servers, reconnect: false })).rejects.toThrow();
    await nats.start();
    expect(await countStreams(nats)).toBe(1);
    await nats.wipe();
    expect(await countStreams(nats)).toBe(0);
    await nats.stop();
  });

  it('answers no request while it is paused', async () => {
    const nats = await startTestNats();
    nats.pause();
    await expect(connect({ servers: nats.servers, timeout: 100, reconnect: false })).rejects.toThrow();
    nats.resume();
    expect(await countStreams(nats)).toBe(0);
    await nats.stop();
  });
});

describe('Redis for tests', () => {
  it('gives each asker of the shared server an empty database', async () => {
    const [one, other] = [new Redis(await sharedRedisUrl()), new Redis(await sharedRedisUrl())];
    await one.set('key', 'mine');
    expect(await other.get('key')).toBeNull();
    await Promise.all([one.quit(), other.quit()]);
  });

  it('comes back empty when a private one is killed', async () => {
    const redis = await startTestRedis();
    const client = new Redis(redis.url, { retryStrategy: () => 20 });
    // The server is killed on purpose.
    client.on('error', () => {});
    await client.set('key', 'value');
    await redis.kill();
    await redis.start();
    expect(await client.get('key')).toBeNull();
    client.disconnect();
    await redis.stop();
  });
});
