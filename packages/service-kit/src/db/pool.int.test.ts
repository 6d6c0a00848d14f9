import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import { toServiceError } from '../errors/to-service-error.ts';
import { createLog } from '../log/log.ts';
import { createPool } from './pool.ts';

/** A second, and what a busy machine may add to a timer. */
const SOON_MS = 1_500;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase('messaging');
});
afterAll(() => database.drop());

describe('a pool without a free connection', () => {
  it('refuses whoever waits for one after a second; the next one who asks gets what has come free', async () => {
    const log = createLog({ service: 'test' });
    const pool = createPool({ url: database.url, applicationName: 'pool test', maxConnections: 1, log });
    const taken = await pool.connect();
    const askedAt = performance.now();
    const refused = await pool.query('SELECT 1').catch((error: unknown) => error);
    expect(performance.now() - askedAt).toBeLessThan(SOON_MS);
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
