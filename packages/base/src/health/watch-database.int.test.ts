import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  copyDatabase,
  createTestDatabase,
  type DatabaseCopy,
  eventually,
  type TestDatabase,
} from '@tds/test-kit';
import pg from 'pg';
import { createPool } from '../db/pool.ts';
import { createRecordingLog } from '../testing/recording-log.ts';
import { createDatabaseWatch, type DatabaseWatch } from './watch-database.ts';

describe('the watch over which database it is', () => {
  let database: TestDatabase;
  let copy: DatabaseCopy;
  let watch: DatabaseWatch;
  let pool: pg.Pool;
  let lines: string[];
  beforeEach(async () => {
    database = await createTestDatabase('messaging');
    copy = await copyDatabase(database);
    const noted = createRecordingLog();
    lines = noted.lines;
    watch = createDatabaseWatch(noted.log);
    const { onConnect } = watch;
    const options = { url: database.url, applicationName: 'test', waitMs: 60_000 };
    pool = createPool({ ...options, log: noted.log, onConnect });
  });
  afterEach(async () => {
    watch.stop();
    await pool.end();
    await copy.drop();
    await database.drop();
  });
  const ask = () => eventually(async () => void (await pool.query('SELECT 1')));
  const cut = async () => {
    const admin = new pg.Client({ connectionString: database.adminUrl });
    await admin.connect();
    await admin.query(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    await admin.end();
  };

  it('reports nothing if connections were cut and made again to the same database', async () => {
    let swaps = 0;
    watch.onSwap('count', () => {
      swaps += 1;
    });
    await ask();
    await cut();
    await ask();
    expect(swaps).toBe(0);
  });

  it('reports another database before its first statement, and retries a listener that fails', async () => {
    const calls: string[] = [];
    const done = Promise.withResolvers<void>();
    await ask();
    watch.onSwap('count', () => void calls.push('count'));
    watch.onSwap('fails', async () => {
      calls.push('fails');
      if (calls.length === 2) throw new Error('not yet');
      done.resolve();
    });
    const forgotten = watch.onSwap('was taken back', () => void calls.push('never'));
    forgotten();
    await copy.putBack();
    await ask();
    expect(calls.slice(0, 2)).toEqual(['count', 'fails']);
    await done.promise;
    expect(calls).toEqual(['count', 'fails', 'fails']);
    expect(lines.some((line) => line.includes('another database has taken the place'))).toBe(true);
  });
});
