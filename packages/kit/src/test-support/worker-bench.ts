import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { expect } from '@jest/globals';
import {
  awaitDeath,
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
      stdio: [
        'ignore',
        process.env.TEST_LOG_LEVEL ? 'inherit' : 'ignore',
        environment.CRASH_AT ? 'pipe' : 'inherit',
      ],
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
    /** A process that kills itself, at this crash point or by one of its tasks; its work is free afterwards. */
    untilKilled: async (crashAt?: string): Promise<void> => {
      const death = awaitDeath(launch(crashAt === undefined ? {} : { CRASH_AT: crashAt }));
      expect(await death).toBe(crashAt ?? 'its end by SIGKILL');
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
