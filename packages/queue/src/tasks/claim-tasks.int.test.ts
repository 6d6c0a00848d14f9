import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sqlExecutor } from '@tds/base/internals';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import { type ClaimedTask, claimTasks } from './claim-tasks.ts';
import { renewTasks, retryTask } from './task-rows.ts';

const name = 'do-work';

describe('a claim', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  const others: pg.Client[] = [];
  beforeAll(async () => {
    database = await createTestDatabase('messaging');
  });
  afterAll(() => database?.drop());
  beforeEach(async () => {
    pool = new pg.Pool({ connectionString: database.adminUrl, max: 1 });
    await pool.query('TRUNCATE messaging.tasks');
  });
  afterEach(async () => {
    for (const other of others.splice(0)) await other.end();
    await pool.end();
  });

  const claim = (limit = 8): Promise<ClaimedTask[]> => claimTasks(pool, [{ name, limit, leaseMs: 60_000 }]);
  const save = (on: Pick<pg.Client, 'query'>, dueSecondsAgo: number, count = 1) =>
    on.query(
      `INSERT INTO messaging.tasks (name, payload, due_at)
       SELECT 'do-work', '{}', clock_timestamp() - $1 * interval '1 second' FROM generate_series(1, $2::int)`,
      [dueSecondsAgo, count],
    );
  const begin = async (): Promise<pg.Client> => {
    const other = new pg.Client({ connectionString: database.adminUrl });
    await other.connect();
    others.push(other);
    await other.query('BEGIN');
    await other.query('SELECT 1');
    return other;
  };

  it('finds what a transaction saved long before others and commits long after them', async () => {
    const late = await begin();
    await save(late, 20);
    await save(pool, 10);
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
    await late.query('COMMIT');
    expect(await claim()).toHaveLength(1);
  });

  it('finds what it had to pass by because another held it, and lets go of it', async () => {
    await save(pool, 20);
    const other = await begin();
    await other.query('DELETE FROM messaging.tasks');
    expect(await claim()).toEqual([]);
    await save(pool, 10);
    expect(await claim()).toHaveLength(1);
    await other.query('ROLLBACK');
    expect(await claim()).toHaveLength(1);
  });

  it('takes no task of another before its lease has run out, and then as its next attempt', async () => {
    await save(pool, 20);
    const [held] = await claim();
    expect(await claim()).toEqual([]);
    await pool.query('UPDATE messaging.tasks SET lease_until = clock_timestamp()');
    const [again] = await claim();
    expect(again).toMatchObject({ id: held?.id, attempt: 2 });
  });

  it('is at an end when its attempt has failed: a renewal that comes later takes nothing', async () => {
    await save(pool, 20);
    const [held] = await claim();
    expect(await renewTasks(pool, [held!], 60_000)).toEqual(new Set([held!.id]));
    await retryTask(sqlExecutor(pool), held!, { afterMs: 0, error: 'failed', isCounted: true });
    expect(await renewTasks(pool, [held!], 60_000)).toEqual(new Set());
    expect(await claim()).toMatchObject([{ id: held!.id, attempt: 2, isSuspect: false }]);
  });

  it('takes one of the tasks whose workers vanished twice, and all others', async () => {
    await save(pool, 20, 3);
    await pool.query('UPDATE messaging.tasks SET attempts = 2, lease_until = clock_timestamp()');
    await save(pool, 10, 2);
    const attempts = async () => (await claim()).map(({ attempt }) => attempt).toSorted();
    expect(await attempts()).toEqual([1, 1, 3]);
    expect(await attempts()).toEqual([3]);
  });

  it('takes one task of a partition, also if another process took one with it', async () => {
    const partitioned = `INSERT INTO messaging.tasks (name, payload, partition_key, due_at)
      VALUES ('do-work', '{}', 'a', clock_timestamp() - $1 * interval '1 second')`;
    await pool.query(partitioned, [10]);
    // Due earlier, but committed later: this process sees another task as the first than that one does.
    const other = await begin();
    await other.query(partitioned, [20]);
    const taken = await claimTasks(other as unknown as pg.Pool, [{ name, limit: 1, leaseMs: 60_000 }]);
    expect(taken).toHaveLength(1);
    expect(await claim()).toEqual([]);
    await other.query('COMMIT');
    expect(await claim()).toEqual([]);
    await pool.query('UPDATE messaging.tasks SET lease_until = NULL');
    expect(await claim()).toHaveLength(1);
    expect(await claim()).toEqual([]);
  });
});
