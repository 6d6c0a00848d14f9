import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import { createPoll, dueInMs } from './poll.ts';

describe('one poll', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeEach(async () => {
    database = await createTestDatabase('messaging');
    pool = new pg.Pool({ connectionString: database.url });
    // The database is dropped while connections are still closing.
    pool.on('error', () => {});
  });
  afterEach(async () => {
    await pool.end();
    await database.drop();
  });

  const poll = () =>
    createPoll(['SELECT min(created_at) FROM messaging.dead_letters'])(pool, {
      tasks: ['do-work', 'follow-up'],
      schedules: ['sweep', 'tidy'],
    });
  const nothing = {
    firstMs: [null, null],
    hasUnpublished: false,
    dueSchedules: [],
    nextMs: [null, null],
    dueMs: [null],
  };

  it('finds nothing if nothing waits, and nothing that others work on', async () => {
    await pool.query(`INSERT INTO messaging.tasks (name, payload) VALUES ('of-others', '{}')`);
    await pool.query(`INSERT INTO messaging.schedules (name) VALUES ('of-others')`);
    await pool.query(
      `INSERT INTO messaging.outbox (subject, payload, published_at) VALUES ('evt.a', '{}', now())`,
    );
    expect(await poll()).toMatchObject(nothing);
  });

  it('finds events that no process publishes, and not those that one is about to publish', async () => {
    const insert = `INSERT INTO messaging.outbox (subject, payload, held_until) VALUES ('evt.a', '{}', now() + $1::interval)`;
    await pool.query(insert, ['1 minute']);
    expect(await poll()).toMatchObject({ ...nothing, nextMs: [expect.any(Number), null] });
    await pool.query(insert, ['-1 second']);
    expect(await poll()).toMatchObject({ hasUnpublished: true });
  });

  it('finds when the first task of each name is free', async () => {
    await pool.query(`
      INSERT INTO messaging.tasks (name, payload, due_at, lease_until) VALUES
        ('do-work', '{}', now() - interval '1 minute', now() + interval '1 minute'),
        ('do-work', '{}', now() - interval '1 second', NULL),
        ('follow-up', '{}', now() + interval '1 hour', NULL)`);
    const { atMs, firstMs } = await poll();
    expect(firstMs[0]).toBeLessThan(atMs);
    expect(firstMs[1]).toBeGreaterThan(atMs);
  });

  it('finds schedules that are due, and not those that a process holds', async () => {
    await pool.query(`
      INSERT INTO messaging.schedules (name, next_due_at, lease_until) VALUES
        ('sweep', now() - interval '1 second', NULL), ('tidy', now() - interval '1 second', now() + interval '1 minute')`);
    expect(await poll()).toMatchObject({ dueSchedules: ['sweep'] });
    await pool.query(`UPDATE messaging.schedules SET lease_until = now() - interval '1 second'`);
    expect((await poll()).dueSchedules.toSorted()).toEqual(['sweep', 'tidy']);
  });

  const SOON = `now() + interval '2 seconds'`;
  const LATER = `now() + interval '1 minute'`;
  it.each([
    [
      'an event that a process holds',
      `INSERT INTO messaging.outbox (subject, payload, held_until) VALUES ('evt.a', '{}', ${SOON})`,
    ],
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
      `INSERT INTO messaging.schedules (name, next_due_at) VALUES ('sweep', ${LATER}), ('tidy', ${SOON})`,
    ],
    [
      'a schedule of a dead instance',
      `INSERT INTO messaging.schedules (name, next_due_at, lease_until) VALUES ('sweep', now(), ${SOON})`,
    ],
    [
      'what the service asks for',
      `INSERT INTO messaging.dead_letters (kind, source, message_id, payload, reason, attempts, created_at)
       VALUES ('event', 'evt.a', gen_random_uuid(), '{}', '', 1, ${SOON})`,
    ],
  ])('says when the first is due: %s', async (_what, insert) => {
    expect(dueInMs(await poll())).toBe(Number.POSITIVE_INFINITY);
    await pool.query(insert);
    const found = await poll();
    expect(dueInMs(found)).toBeGreaterThan(0);
    expect(dueInMs(found)).toBeLessThanOrEqual(2_000);
  });
});
