import { ensureRedis, type RedisOptions } from '@tds/servers';
import { sharedAddress, throwawayFolder } from '@tds/servers/testing';
import { Redis } from 'ioredis';
import { type TestServer, testServer } from './test-server.ts';

export interface TestRedis extends TestServer {
  readonly url: string;
}

/** An empty logical database on a server that all test files share. */
const emptyDatabase = async (server: 'REDIS_URL' | 'REDIS_CACHE_URL'): Promise<string> => {
  const counter = new Redis(sharedAddress('REDIS_URL'));
  const index = await counter.incr(`last-test-database:${server}`);
  await counter.quit();
  return `${sharedAddress(server)}/${index}`;
};

/** On the server that drops nothing. */
export const sharedRedisUrl = (): Promise<string> => emptyDatabase('REDIS_URL');

/** On a small server that drops what was not read for longest. */
export const sharedRedisCacheUrl = (): Promise<string> => emptyDatabase('REDIS_CACHE_URL');

/** A server for one test file, to be hurt: one that drops nothing, unless another is wanted. */
export const startTestRedis = async (
  options: Pick<RedisOptions, 'maxMemory' | 'users'> & Partial<Pick<RedisOptions, 'keeps'>> = {},
): Promise<TestRedis> => {
  const dir = throwawayFolder('redis');
  const server = await ensureRedis({ dir, throwaway: true, keeps: 'records', ...options });
  return { ...testServer(server, dir), url: server.url };
};
