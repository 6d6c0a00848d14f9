import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createTestDatabase,
  eventually,
  sharedRedisUrl,
  startTestNats,
  type TestDatabase,
  type TestNats,
} from '@tds/test-kit';
import pg from 'pg';
import { crashPoints } from '../runtime/crash-points.ts';

const program = path.resolve(import.meta.dirname, '../test-support/worker-process.ts');

describe('a service whose process', () => {
  let nats: TestNats;
  let database: TestDatabase;
  let redisUrl: string;
  let admin: pg.Pool;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    [nats, redisUrl] = await Promise.all([startTestNats(), sharedRedisUrl()]);
  });
  beforeEach(async () => {
    database = await createTestDatabase('messaging');
    admin = new pg.Pool({ connectionString: database.adminUrl, max: 2 });
    // The database is dropped while connections are still closing.
    admin.on('error', () => {});
    await admin.query('CREATE TABLE effects (kind text, key text)');
    await admin.query('GRANT ALL ON effects TO messaging_app');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await admin.end();
    await database.drop();
    await nats.wipe();
  });
  afterAll(() => nats.stop());

  const launch = (environment: NodeJS.ProcessEnv = {}): ChildProcess => {
    const child = spawn(process.execPath, [program], {
      stdio: ['ignore', process.env.TEST_LOG_LEVEL ? 'inherit' : 'ignore', 'inherit'],
      env: {
        PATH: process.env.PATH,
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
  const enqueue = (payload: { key: string; failures?: number; slowMs?: number }) =>
    admin.query(`SELECT messaging.enqueue('do-work', $1)`, [JSON.stringify(payload)]);
  const effects = async (kind: string): Promise<string[]> => {
    const { rows } = await admin.query<{ key: string }>(
      'SELECT key FROM effects WHERE kind = $1 ORDER BY key',
      [kind],
    );
    return rows.map((row) => row.key);
  };

  it.each(crashPoints)('is killed at %s does everything once', async (point) => {
    await enqueue({ key: 'a' });
    await enqueue({ key: 'b', failures: 1 });
    const dying = launch({ CRASH_AT: point });
    const [, signal] = await once(dying, 'exit');
    expect(signal).toBe('SIGKILL');
    launch();
    await eventually(async () => expect(await effects('handled')).toEqual(['a', 'b']));
    expect(await effects('worked')).toEqual(['a', 'b']);
    await eventually(async () => expect(await effects('followed')).toEqual(['a', 'b']));
    const ticks = (await effects('ticked')).length;
    await eventually(async () => expect((await effects('ticked')).length).toBeGreaterThan(ticks));
    expect(await effects('handled')).toEqual(['a', 'b']);
    expect(await effects('followed')).toEqual(['a', 'b']);
    const { rows } = await admin.query(`SELECT FROM messaging.tasks WHERE state <> 'done'`);
    expect(rows).toEqual([]);
    const permits = await admin.query('SELECT FROM messaging.task_partitions');
    expect(permits.rows).toEqual([]);
  });

  const untilKilled = async (): Promise<void> => {
    const [, signal] = await once(launch(), 'exit');
    expect(signal).toBe('SIGKILL');
  };

  it('dies in every call of a stranger calls no more often than the task has attempts', async () => {
    await admin.query(`SELECT messaging.enqueue('call-stranger', '{"key": "a"}')`);
    await untilKilled();
    await untilKilled();
    launch();
    await eventually(async () => {
      const { rows } = await admin.query('SELECT source, reason FROM messaging.dead_letters');
      expect(rows).toMatchObject([
        { source: 'call-stranger', reason: expect.stringContaining('NoAttemptLeft') },
      ]);
    });
    expect(await effects('called')).toEqual(['a', 'a']);
  });

  it('is killed twice by one of its tasks runs that one alone: it takes the others with it no more', async () => {
    const innocent = ['a', 'b'];
    for (const key of innocent) await enqueue({ key, slowMs: 1_000 });
    await admin.query(`SELECT messaging.enqueue('poison', '{"key": "p", "kills": 3, "beside": 2}')`);
    await untilKilled();
    await untilKilled();
    await untilKilled();
    launch();
    await eventually(async () => expect(await effects('survived')).toEqual(['p']));
    await eventually(async () => expect(await effects('worked')).toEqual(innocent));
    const { rows } = await admin.query(
      `SELECT payload ->> 'key' AS key, lost_leases FROM messaging.tasks WHERE lost_leases > 0 ORDER BY 1`,
    );
    expect(rows).toEqual([
      { key: 'a', lost_leases: 2 },
      { key: 'b', lost_leases: 2 },
      { key: 'p', lost_leases: 3 },
    ]);
  });

  it('is frozen past its lease changes nothing when it wakes up', async () => {
    await enqueue({ key: 'a', slowMs: 300 });
    const frozen = launch();
    await eventually(async () => expect(await effects('begun')).toEqual(['a']));
    frozen.kill('SIGSTOP');
    launch();
    await eventually(async () => expect(await effects('worked')).toEqual(['a']));
    frozen.kill('SIGCONT');
    await eventually(async () => expect(await effects('lease-lost')).toEqual(['a']));
    await eventually(async () => expect(await effects('handled')).toEqual(['a']));
    expect(await effects('worked')).toEqual(['a']);
  });

  it('is asked to stop finishes what is in hand and exits in order', async () => {
    await enqueue({ key: 'a', slowMs: 500 });
    const child = launch();
    await eventually(async () => expect(await effects('begun')).toEqual(['a']));
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
    expect(await effects('worked')).toEqual(['a']);
  });

  it('is asked twice to stop exits at once', async () => {
    await enqueue({ key: 'a', slowMs: 60_000 });
    const child = launch();
    await eventually(async () => expect(await effects('begun')).toEqual(['a']));
    child.kill('SIGTERM');
    await eventually(async () => {
      child.kill('SIGTERM');
      expect(child.exitCode).toBe(1);
    });
  });

  it('loses all its database connections at once goes on when the database is back', async () => {
    const child = launch();
    for (let n = 0; n < 10; n += 1) await enqueue({ key: `k${n}`, slowMs: 100 });
    const cut = () =>
      admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = 'messaging_app'`,
      );
    await eventually(async () => expect((await effects('begun')).length).toBeGreaterThan(0));
    for (let n = 0; n < 10; n += 1) {
      await cut();
      await admin.query('SELECT pg_sleep(0.1)');
    }
    await eventually(async () => expect(await effects('handled')).toHaveLength(10));
    expect(await effects('worked')).toHaveLength(10);
    expect(child.exitCode).toBeNull();
  });
});
