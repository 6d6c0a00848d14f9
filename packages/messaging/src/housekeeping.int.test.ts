import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createInstruments, createMetrics } from '@tds/base/internals';
import { createTestDatabase, limitDeletes, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import { purgeOldRows, republishSince } from './housekeeping.ts';
import type { StoreRuntime } from './runtime/runtime.ts';
import { sampleQueues } from './sample-queues.ts';

const DAY_MS = 86_400_000;
const options = { signal: new AbortController().signal, keptMs: 7 * DAY_MS };

describe('purging', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase('messaging');
    pool = new pg.Pool({ connectionString: database.url, max: 2 });
    pool.on('error', () => {});
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it('deletes what is old and done, and nothing that still has to leave or to run', async () => {
    const ages = `(VALUES ('1 hour'), ('29 days'), ('31 days')) AS given (age)`;
    const id = `messaging.id_at(now() - age::interval)`;
    await pool.query(`
      INSERT INTO messaging.outbox (id, subject, payload, published_at)
      SELECT ${id}, 'evt.a', 'true', sent FROM ${ages}, (VALUES (now()), (NULL)) AS s (sent)`);
    await pool.query(`
      INSERT INTO messaging.tasks (id, name, payload, state, finished_at)
      SELECT ${id}, 'a', 'true', state, now() - age::interval FROM ${ages}, unnest(ARRAY['ready', 'done', 'dead']) AS s (state)`);
    await pool.query(`
      INSERT INTO messaging.inbox (consumer, message_id, processed_at)
      SELECT 'a', ${id}, now() - age::interval FROM ${ages}, generate_series(1, 1500)`);
    await pool.query(`
      INSERT INTO messaging.dead_letters (id, kind, source, message_id, payload, reason, attempts, replayed_at)
      SELECT ${id}, 'task', 'a', gen_random_uuid(), 'true', 'no', 1, replayed
      FROM ${ages}, (VALUES (now()), (NULL)) AS s (replayed)`);
    await pool.query(`
      INSERT INTO messaging.aggregate_versions (consumer, aggregate_key, version, seen_at)
      SELECT 'a', days, 1, now() - days * interval '1 day' FROM unnest(ARRAY[1, 60, 100]) AS given (days)`);
    const purged = { outbox: 2, deadLetters: 2, tasks: 3, inbox: 3_000, versions: 1 };
    expect(await purgeOldRows(pool, options)).toEqual(purged);
    const { rows } = await pool.query(`
      SELECT (SELECT count(*)::int FROM messaging.outbox) AS outbox, (SELECT count(*)::int FROM messaging.tasks) AS tasks,
        (SELECT count(*)::int FROM messaging.inbox) AS inbox,
        (SELECT count(*)::int FROM messaging.dead_letters WHERE source = 'a') AS letters`);
    expect(rows).toEqual([{ outbox: 4, tasks: 6, inbox: 1_500, letters: 4 }]);
  });

  it('gets through 100,000 rows of a table in one run, in statements that stay short', async () => {
    const id = `('01900000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
    const many = `generate_series(1, 100000) AS n`;
    await pool.query(`
      INSERT INTO messaging.outbox (id, subject, payload, published_at) SELECT ${id}, 'evt.a', 'true', now() FROM ${many}`);
    await pool.query(`
      INSERT INTO messaging.tasks (id, name, payload, state, finished_at)
      SELECT ${id}, 'a', 'true', 'dead', now() - interval '40 days' FROM ${many}`);
    await pool.query(`
      INSERT INTO messaging.inbox (consumer, message_id, processed_at)
      SELECT 'a', ${id}, now() - interval '40 days' FROM ${many}`);
    await pool.query(`
      INSERT INTO messaging.dead_letters (id, kind, source, message_id, payload, reason, attempts)
      SELECT ${id}, 'task', 'a', gen_random_uuid(), 'true', 'no', 1 FROM ${many}`);
    for (const table of ['outbox', 'tasks', 'inbox', 'dead_letters'])
      await limitDeletes(database.adminUrl, `messaging.${table}`, 5_000);
    const all = { outbox: 100_000, tasks: 100_000, inbox: 100_000, deadLetters: 100_000 };
    expect(await purgeOldRows(pool, options)).toEqual({ ...all, versions: 0 });
  });

  it('keeps inbox rows for as long as their events may come again, also if streams keep events for a month', async () => {
    await pool.query(`
      INSERT INTO messaging.inbox (consumer, message_id, processed_at)
      SELECT 'b', gen_random_uuid(), now() - days * interval '1 day' FROM unnest(ARRAY[14, 20, 37, 39]) AS given (days)`);
    const left = async (keptMs: number) => {
      await purgeOldRows(pool, { ...options, keptMs });
      return (await pool.query(`SELECT FROM messaging.inbox WHERE consumer = 'b'`)).rows.length;
    };
    expect(await left(30 * DAY_MS)).toBe(3);
    expect(await left(7 * DAY_MS)).toBe(1);
  });

  it('counts the lag of what is published again from when that was asked for, not from its first saving', async () => {
    await pool.query(`DELETE FROM messaging.outbox WHERE published_at IS NULL`);
    const { outboxLag, ...metrics } = createInstruments(createMetrics('status', { processMetrics: false }));
    const lag = async () => {
      await sampleQueues({ pool, metrics: { ...metrics, outboxLag } } as StoreRuntime);
      return (await outboxLag.get()).values[0]?.value;
    };
    await pool.query(`UPDATE messaging.outbox SET created_at = now() - interval '1 hour'`);
    expect(await republishSince(pool, new Date(Date.now() - 20 * 24 * 60 * 60 * 1_000))).toBe(1);
    expect(await lag()).toBeLessThan(60);
    await pool.query(`
      INSERT INTO messaging.outbox (subject, payload, created_at) VALUES ('evt.a', 'true', now() - interval '10 minutes')`);
    expect(await lag()).toBeGreaterThan(599);
  });

  it('orders identifiers by time', async () => {
    const { rows } = await pool.query(`
      SELECT messaging.id_at(now() - interval '1 second') < messaging.floor_id(now()) AS earlier,
        messaging.id_at(now()) >= messaging.floor_id(now()) AS later, substr(messaging.id_at(now())::text, 15, 1) AS version`);
    expect(rows).toEqual([{ earlier: true, later: true, version: '7' }]);
  });
});
