import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IDLE_TRANSACTION_MS, LOCK_WAIT_MS, STATEMENT_MS } from '@tds/contracts';
import { createTestDatabase, eventually, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import type { Log } from '../log/log.ts';
import { createPool, inTransaction } from './pool.ts';

describe('connections of a service', () => {
  let database: TestDatabase;
  let admin: pg.Pool;
  let pool: pg.Pool;
  const warnings: string[] = [];
  const log = { warn: (message: string) => void warnings.push(message) } as unknown as Log;
  beforeAll(async () => {
    database = await createTestDatabase('messaging');
    admin = new pg.Pool({ connectionString: database.adminUrl });
    // The database is dropped while connections are still closing.
    admin.on('error', () => {});
    await admin.query('CREATE TABLE public.notes (text text PRIMARY KEY)');
    await admin.query('GRANT ALL ON public.notes TO PUBLIC');
  });
  beforeEach(() => {
    pool = createPool({
      url: database.url,
      applicationName: 'status',
      maxConnections: 2,
      waitMs: 60_000,
      log,
    });
  });
  afterEach(() => pool.end());
  afterAll(async () => {
    await admin.end();
    await database.drop();
  });

  const notes = async () =>
    (await admin.query<{ text: string }>('SELECT text FROM notes')).rows.map(({ text }) => text);
  const cutAll = () =>
    admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'status'`);

  it('give up what takes too long: statements, locks, and transactions that were forgotten', async () => {
    const settings = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'];
    const given = await Promise.all(
      settings.map(
        async (name) => (await pool.query(`SELECT current_setting('${name}') AS value`)).rows[0].value,
      ),
    );
    expect(given).toEqual([STATEMENT_MS, LOCK_WAIT_MS, IDLE_TRANSACTION_MS].map((ms) => `${ms / 1_000}s`));
  });

  it('ask for nothing at their start that a pooler does not pass on, also with settings of their own', async () => {
    const settings = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off' };
    const own = createPool({ url: database.url, applicationName: 'own', maxConnections: 1, settings, log });
    const asked = await own.query(`SELECT name FROM pg_settings WHERE source = 'client' ORDER BY name`);
    expect(asked.rows.map(({ name }) => name)).toEqual(['application_name', 'client_encoding']);
    const held = await own.query(
      `SELECT setting FROM pg_settings WHERE name = ANY ($1) AND source = 'session' ORDER BY name DESC`,
      [Object.keys(settings)],
    );
    expect(held.rows.map(({ setting }) => setting)).toEqual(Object.values(settings));
    await own.end();
  });

  it('are replaced after their death, which is logged and ends nothing', async () => {
    await pool.query('SELECT 1');
    await cutAll();
    await eventually(() => expect(warnings).toContain('an idle database connection ended'));
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  });

  it('have all been closed by the server when the pool has ended', async () => {
    const other = createPool({ url: database.url, applicationName: 'ending', maxConnections: 2, log });
    await Promise.all([other.query('SELECT pg_sleep(0.05)'), other.query('SELECT pg_sleep(0.05)')]);
    expect(other.totalCount).toBe(2);
    await other.end();
    const { rows } = await admin.query(`SELECT FROM pg_stat_activity WHERE application_name = 'ending'`);
    expect(rows).toEqual([]);
  });

  it('commit a transaction as a whole, or not at all', async () => {
    expect(
      await inTransaction(pool, async (client) => {
        await client.query(`INSERT INTO notes VALUES ('kept')`);
        return 7;
      }),
    ).toBe(7);
    const failing = inTransaction(pool, async (client) => {
      await client.query(`INSERT INTO notes VALUES ('undone')`);
      throw new Error('no luck');
    });
    await expect(failing).rejects.toThrow('no luck');
    expect(await notes()).toEqual(['kept']);
    expect(pool.idleCount).toBe(pool.totalCount);
  });

  it('that die in a transaction are thrown away, and the next transaction gets another', async () => {
    const dying = inTransaction(pool, async (client) => {
      await client.query(`INSERT INTO notes VALUES ('lost')`);
      await cutAll();
      await client.query('SELECT 1');
    });
    await expect(dying).rejects.toThrow();
    expect(await inTransaction(pool, async (client) => (await client.query('SELECT 1 AS one')).rows)).toEqual([
      { one: 1 },
    ]);
    expect(await notes()).not.toContain('lost');
  });
});
