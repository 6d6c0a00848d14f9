import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { FIRST_UNPUBLISHED } from '@tds/messaging/internals';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import { createPoll } from './poll.ts';
import { firstScheduleSql } from './schedules/schedule-rows.ts';
import { firstTaskSql } from './tasks/claim-tasks.ts';

describe('one poll', () => {
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
    for (const table of ['outbox', 'tasks', 'schedules', 'dead_letters'])
      await pool.query(`DELETE FROM messaging.${table}`);
  });
  afterEach(() => pool.end());

  const questions = [
    FIRST_UNPUBLISHED,
    firstTaskSql(['do-work', 'follow-up']),
    firstScheduleSql(['sweep', 'tidy']),
    'SELECT min(created_at) FROM messaging.dead_letters',
  ];
  const [EVENTS, TASKS, SCHEDULES] = [0, 1, 2];
  /** In how many milliseconds the first of each kind is due; Infinity if none is. */
  const poll = async (): Promise<number[]> => {
    const { atMs, dueMs } = await createPoll(questions)(pool);
    return dueMs.map((ms) => (ms ?? Number.POSITIVE_INFINITY) - atMs);
  };
  const nothing = questions.map(() => Number.POSITIVE_INFINITY);

  it('finds nothing if nothing waits, and nothing that others work on', async () => {
    await pool.query(`INSERT INTO messaging.tasks (name, payload) VALUES ('of-others', '{}')`);
    await pool.query(`INSERT INTO messaging.schedules (name) VALUES ('of-others')`);
    await pool.query(
      `INSERT INTO messaging.outbox (subject, payload, published_at) VALUES ('evt.a', '{}', now())`,
    );
    expect(await poll()).toEqual(nothing);
  });

  it('finds events that are not published', async () => {
    await pool.query(`INSERT INTO messaging.outbox (subject, payload) VALUES ('evt.a', '{}')`);
    expect((await poll())[EVENTS]).toBe(0);
  });

  it('finds a task that is due beside one that a process holds and one that is due later', async () => {
    await pool.query(`
      INSERT INTO messaging.tasks (name, payload, due_at, lease_until) VALUES
        ('do-work', '{}', now() - interval '1 minute', now() + interval '1 minute'),
        ('follow-up', '{}', now() + interval '1 hour', NULL)`);
    expect((await poll())[TASKS]).toBeGreaterThan(50_000);
    await pool.query(
      `INSERT INTO messaging.tasks (name, payload, due_at) VALUES ('do-work', '{}', now() - interval '1 second')`,
    );
    expect((await poll())[TASKS]).toBeLessThan(0);
  });

  it('finds schedules that are due, and not those that a process holds', async () => {
    await pool.query(`
      INSERT INTO messaging.schedules (name, due_at, lease_until) VALUES
        ('tidy', now() - interval '1 second', now() + interval '1 minute')`);
    expect((await poll())[SCHEDULES]).toBeGreaterThan(50_000);
    await pool.query(`UPDATE messaging.schedules SET lease_until = now() - interval '1 second'`);
    expect((await poll())[SCHEDULES]).toBeLessThan(0);
  });

  const SOON = `now() + interval '2 seconds'`;
  const LATER = `now() + interval '1 minute'`;
  it.each([
    [
      'a task',
      `INSERT INTO messaging.tasks (name, payload, due_at) VALUES ('do-work', '{}', ${SOON}), ('follow-up', '{}', ${LATER})`,
    ],
    [
      'a task of a dead worker',
      `INSERT INTO messaging.tasks (name, payload, lease_until) VALUES ('follow-up', '{}', ${SOON})`,
    ],
    [
      'a schedule',
      `INSERT INTO messaging.schedules (name, due_at) VALUES ('sweep', ${LATER}), ('tidy', ${SOON})`,
    ],
    [
      'a schedule of a dead instance',
      `INSERT INTO messaging.schedules (name, due_at, lease_until) VALUES ('sweep', now(), ${SOON})`,
    ],
    [
      'what the service asks for',
      `INSERT INTO messaging.dead_letters (kind, source, message_id, payload, reason, attempts, created_at)
       VALUES ('event', 'evt.a', gen_random_uuid(), '{}', '', 1, ${SOON})`,
    ],
  ])('says when the first is due: %s', async (_what, insert) => {
    expect(await poll()).toEqual(nothing);
    await pool.query(insert);
    const first = Math.min(...(await poll()));
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThanOrEqual(2_000);
  });
});
