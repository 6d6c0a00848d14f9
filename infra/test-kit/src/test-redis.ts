import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureRedis, type RedisOptions } from '@tds/servers';
import { sharedAddress } from '@tds/servers/testing';
import { Redis } from 'ioredis';

export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
  /** Ends it without warning; what was in it is gone. */
  kill(): Promise<void>;
  start(): Promise<void>;
  pause(): void;
  resume(): void;
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
  const dir = mkdtempSync(path.join(tmpdir(), 'tds-test-redis-'));
  const server = await ensureRedis({ dir, throwaway: true, keeps: 'records', ...options });
  return {
    url: server.url,
    stop: async () => {
      server.signal('SIGCONT');
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
    kill: () => server.stop('SIGKILL'),
    start: () => server.restart(),
    pause: () => server.pause(),
    resume: () => server.signal('SIGCONT'),
  };
};
