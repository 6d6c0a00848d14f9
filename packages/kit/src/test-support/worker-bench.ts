import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect } from '@jest/globals';
import {
  createTestDatabase,
  processEnvironment,
  sharedRedisUrl,
  startTestNats,
  type TestDatabase,
} from '@tds/test-kit';
import pg from 'pg';

const program = path.resolve(import.meta.dirname, 'worker-process.ts');

const withEffects = async (database: TestDatabase): Promise<pg.Pool> => {
  const admin = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
  // The database is dropped while connections are still closing.
  admin.on('error', () => {});
  await admin.query('CREATE TABLE effects (kind text, key text)');
  await admin.query('GRANT ALL ON effects TO messaging_app');
  return admin;
};

/** A database and a broker for one test alone, so that others may run beside it, and its processes of the worker's service. */
export const startWorkerBench = async () => {
  const [nats, database, redisUrl] = await Promise.all([
    startTestNats(),
    createTestDatabase('messaging'),
    sharedRedisUrl(),
  ]);
  const admin = await withEffects(database);
  const children: ChildProcess[] = [];
  const launch = (environment: NodeJS.ProcessEnv = {}): ChildProcess => {
    const child = spawn(process.execPath, [program], {
      stdio: ['ignore', process.env.TEST_LOG_LEVEL ? 'inherit' : 'ignore', 'inherit'],
      env: {
        ...processEnvironment(),
        NODE_ENV: 'test',
        LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'silent',
        DATABASE_URL: database.url,
        REDIS_URL: redisUrl,
        NATS_URL: nats.servers,
        ...environment,
      },
    });
    children.push(child);
    return child;
  };
  return {
    launch,
    admin,
    /** A process that kills itself; its work is free afterwards. */
    untilKilled: async (environment: NodeJS.ProcessEnv = {}): Promise<void> => {
      const [, signal] = await once(launch(environment), 'exit');
      expect(signal).toBe('SIGKILL');
    },
    enqueue: (
      payload: { key: string; failures?: number; slowMs?: number; isHeld?: boolean },
      task = 'do-work',
    ) => admin.query('SELECT messaging.enqueue_task($1, $2)', [task, JSON.stringify(payload)]),
    effects: async (kind: string): Promise<string[]> => {
      const { rows } = await admin.query<{ key: string }>(
        'SELECT key FROM effects WHERE kind = $1 ORDER BY key',
        [kind],
      );
      return rows.map((row) => row.key);
    },
    [Symbol.asyncDispose]: async (): Promise<void> => {
      for (const child of children) child.kill('SIGKILL');
      await admin.end();
      await Promise.all([database.drop(), nats.stop()]);
    },
  };
};
