import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureRedis } from '@tds/servers';
import { Redis } from 'ioredis';
import { sharedAddress } from './shared-servers.ts';

export interface TestRedis {
  readonly url: string;
  stop(): Promise<void>;
  /** Ends it without warning; what was in it is gone. */
  kill(): Promise<void>;
  start(): Promise<void>;
  pause(): void;
  resume(): void;
}

/** An empty logical database on the server that all test files share. */
export const sharedRedisUrl = async (): Promise<string> => {
  const address = sharedAddress('REDIS_URL');
  const redis = new Redis(address);
  const index = await redis.incr('last-test-database');
  await redis.quit();
  return `${address}/${index}`;
};

/** A server for one test file, to be hurt. */
export const startTestRedis = async (): Promise<TestRedis> => {
  const dir = mkdtempSync(path.join(tmpdir(), 'tds-test-redis-'));
  const server = await ensureRedis({ dir, throwaway: true });
  return {
    url: server.url,
    stop: async () => {
      server.signal('SIGCONT');
      await server.stop();
      rmSync(dir, { recursive: true, force: true });
    },
    kill: () => server.stop('SIGKILL'),
    start: () => server.restart(),
    pause: () => server.signal('SIGSTOP'),
    resume: () => server.signal('SIGCONT'),
  };
};
