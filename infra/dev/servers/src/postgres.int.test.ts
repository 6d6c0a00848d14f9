import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { withClient } from '@tds/migrations';
import { ensurePostgres, type PostgresOptions, type RunningPostgres } from './postgres.ts';
import { holdsWithin, isAlive } from './processes.ts';
import { temporaryDir } from './test-support/temporary-dir.ts';
import { shiftedClock } from './testing/faketime.ts';

const query = (server: RunningPostgres, sql: string): Promise<unknown[]> =>
  withClient(server.url, async (client) => (await client.query(sql)).rows);

describe('ensurePostgres', () => {
  let folder: ReturnType<typeof temporaryDir>;
  let started: RunningPostgres[];
  const start = async (options: Partial<PostgresOptions> = {}): Promise<RunningPostgres> => {
    const server = await ensurePostgres({ dir: folder.dir, ...options });
    started.push(server);
    return server;
  };

  beforeEach(() => {
    folder = temporaryDir();
    started = [];
  });
  afterEach(async () => {
    for (const server of started) await server.stop('SIGKILL');
    folder.remove();
  });

  it('comes up with the data of the first start, though that was killed', async () => {
    const first = await start();
    await query(first, 'CREATE TABLE kept AS SELECT 7 AS id');
    await first.stop('SIGKILL');
    expect(await query(await start(), 'SELECT id FROM kept')).toEqual([{ id: 7 }]);
  });

  it('comes up though another process has got the number in the lock file since', async () => {
    const stranger: ChildProcess = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)']);
    await (await start()).stop('SIGKILL');
    const lock = path.join(folder.dir, 'data/postmaster.pid');
    writeFileSync(lock, readFileSync(lock, 'utf8').replace(/^\d+/, String(stranger.pid)));
    expect(await query(await start(), 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    stranger.kill();
  });

  it('refuses a folder that a running start still uses', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(`already runs for process ${process.pid}`);
    expect(await query(first, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('starts again by itself on the same port when it dies', async () => {
    const events: string[] = [];
    const server = await start({ keepAlive: true, onEvent: (line) => events.push(line) });
    const killed = server.pid;
    process.kill(killed, 'SIGKILL');
    expect(await holdsWithin(30_000, () => events.includes('Postgres is back'))).toBe(true);
    expect(server.pid).not.toBe(killed);
    expect(await query(server, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('leaves no process behind when it is stopped', async () => {
    const server = await start({ keepAlive: true });
    const { pid } = server;
    await server.stop();
    expect(isAlive(pid)).toBe(false);
    expect(isAlive(server.pid)).toBe(false);
  });

  it('writes durably unless it is to be thrown away', async () => {
    const server = await start();
    expect(await query(server, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
    expect(await query(server, 'SHOW synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
  });

  it('that is killed between two statements of a client fails the second one, not the process', async () => {
    const server = await start();
    const asked = withClient(server.url, async (client) => {
      await client.query('SELECT 1');
      const ended = new Promise((resolve) => client.once('end', () => resolve(null)));
      server.signal('SIGKILL');
      await ended;
      return client.query('SELECT 2');
    });
    await expect(asked).rejects.toThrow(/not queryable|terminated|closed/i);
  });

  (existsSync('/usr/bin/apt-get') ? it : it.skip)(
    'keeps the calendar that it was given through a restart, and its timers run as ever',
    async () => {
      const clockOffsetMs = 40 * 86_400_000;
      const server = await start({ environment: await shiftedClock(clockOffsetMs) });
      const aheadMs = async (): Promise<number> => {
        const [row] = await query(server, 'SELECT clock_timestamp() AS now FROM pg_sleep(0.1)');
        return (row as { now: Date }).now.getTime() - Date.now();
      };
      const hasty = withClient(server.url, async (client) => {
        await client.query("SET statement_timeout = '100ms'");
        await client.query('SELECT pg_sleep(10)');
      });
      await expect(hasty).rejects.toThrow('statement timeout');
      const before = await aheadMs();
      await server.restart();
      for (const ahead of [before, await aheadMs()])
        expect(Math.abs(ahead - clockOffsetMs)).toBeLessThan(30_000);
    },
  );

  it('admits no connection without the password', async () => {
    const url = new URL((await start()).url);
    url.password = 'guess';
    await expect(withClient(url.href, async () => {})).rejects.toThrow('password authentication failed');
  });
});
