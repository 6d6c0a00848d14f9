import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createInstruments, createMetrics } from '@tds/base/internals';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import type { StoreRuntime } from './runtime/runtime.ts';
import { pauseAfter, sampleQueues, sampleTasks } from './sample-queues.ts';

describe('the gauges of a service’s tables', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase('messaging');
  });
  afterAll(() => database?.drop());
  beforeEach(async () => {
    pool = new pg.Pool({ connectionString: database.url });
    // The database is dropped while connections are still closing.
    pool.on('error', () => {});
    for (const table of ['outbox', 'tasks', 'dead_letters']) await pool.query(`DELETE FROM messaging.${table}`);
  });
  afterEach(() => pool.end());

  const sampled = async () => {
    const metrics = createMetrics('status', { processMetrics: false });
    const runtime = { pool, metrics: createInstruments(metrics) } as unknown as StoreRuntime;
    await Promise.all([sampleQueues(runtime), sampleTasks(runtime)]);
    const lines = (await metrics.text()).split('\n').filter((line) => !line.startsWith('#'));
    return (name: string, ...labels: string[]) => {
      const line = lines.find((each) => each.startsWith(name) && labels.every((label) => each.includes(label)));
      return line === undefined ? undefined : Number(line.split(' ').at(-1));
    };
  };

  it('count tasks by name and state: ready, waiting for their time, running, and dead', async () => {
    await pool.query(`
      INSERT INTO messaging.tasks (name, payload, due_at, lease_until) VALUES
        ('do-work', '{}', now() - interval '1 minute', NULL),
        ('do-work', '{}', now() - interval '1 minute', now() - interval '1 second'),
        ('do-work', '{}', now() + interval '1 hour', NULL),
        ('do-work', '{}', now() - interval '1 minute', now() + interval '1 hour'),
        ('follow-up', '{}', now() - interval '1 minute', NULL)`);
    await pool.query(`
      INSERT INTO messaging.dead_letters (kind, source, message_id, payload, headers, reason, attempts)
      VALUES ('task', 'do-work', gen_random_uuid(), '{}', '{}', 'no luck', 3)`);
    const gauge = await sampled();
    const states = ['ready', 'waiting', 'running', 'dead'].map((state) =>
      gauge('tds_tasks', 'name="do-work"', `state="${state}"`),
    );
    expect(states).toEqual([2, 1, 1, 1]);
    expect(gauge('tds_tasks', 'name="follow-up"', 'state="ready"')).toBe(1);
  });

  it('say how many events wait to be published, and since when', async () => {
    await pool.query(`
      INSERT INTO messaging.outbox (subject, payload, created_at, published_at) VALUES
        ('evt.a', '{}', now() - interval '10 minutes', now()),
        ('evt.a', '{}', now() - interval '2 minutes', NULL),
        ('evt.a', '{}', now() - interval '1 minute', NULL)`);
    const gauge = await sampled();
    expect(gauge('tds_outbox_unpublished')).toBe(2);
    expect(gauge('tds_outbox_lag_seconds')).toBeGreaterThanOrEqual(120);
  });

  it('are 0 if nothing waits', async () => {
    const gauge = await sampled();
    expect([gauge('tds_outbox_unpublished'), gauge('tds_outbox_lag_seconds')]).toEqual([0, 0]);
  });

  it('count tasks so seldom that it takes a hundredth of the time, and every two minutes at least', () => {
    expect(pauseAfter(10)).toBe(5_000);
    expect(pauseAfter(1_000)).toBe(100_000);
    expect(pauseAfter(12_000)).toBe(120_000);
  });
});
