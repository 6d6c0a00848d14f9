import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import { toServiceError } from '../errors/errors.ts';
import { createLog } from '../log/log.ts';
import { createPool } from './pool.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('messaging');
});
afterAll(() => database.drop());

describe('a pool without a free connection', () => {
  const open = (given: { waitMs?: number } = {}) => {
    const log = createLog({ service: 'test' });
    return createPool({ url: database.url, applicationName: 'pool test', maxConnections: 1, log, ...given });
  };

  it('answers late, and does not refuse, a caller that waits for a busy connection', async () => {
    const pool = open();
    const busy = pool.query('SELECT pg_sleep(2)');
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await busy;
    await pool.end();
  });

  it('refuses a caller that waits longer than its bound, and serves the next caller from the connection that was returned', async () => {
    const pool = open({ waitMs: 2_000 });
    const taken = await pool.connect();
    const refused = await pool.query('SELECT 1').catch((error: unknown) => error);
    expect(toServiceError(refused)).toMatchObject({ code: 'service_unavailable' });
    taken.release();
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });
});

describe('a pool that has ended', () => {
  it('has seen the server close every connection, so that it may be stopped now without a word', async () => {
    const log = createLog({ service: 'test' });
    const pool = createPool({ url: database.url, applicationName: 'pool test', maxConnections: 4, log });
    const seen = { opened: 0, closed: 0 };
    pool.on('connect', (client) => {
      seen.opened += 1;
      client.once('end', () => {
        seen.closed += 1;
      });
    });
    await Promise.all(Array.from({ length: 4 }, () => pool.query('SELECT pg_sleep(0.05)')));
    await pool.end();
    expect(seen).toEqual({ opened: 4, closed: 4 });
  });
});
