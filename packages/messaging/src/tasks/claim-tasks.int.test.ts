import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@tds/test-kit';
import pg from 'pg';
import { type ClaimedTask, claimTasks, lookBelowFloors } from './claim-tasks.ts';
import { createFloors } from './floors.ts';

const FINISHED = 5_000;
const name = 'do-work';

describe('a claim', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  const others: pg.Client[] = [];
  let floors = createFloors();
  beforeEach(async () => {
    database = await createTestDatabase('messaging');
    pool = new pg.Pool({ connectionString: database.adminUrl, max: 1 });
    floors = createFloors();
  });
  afterEach(async () => {
    for (const other of others.splice(0)) await other.end();
    await pool.end();
    await database.drop();
  });

  const claim = (limit = 8): Promise<ClaimedTask[]> =>
    claimTasks(pool, floors, [{ name, limit, leaseMs: 60_000 }]);
  /** What others write on this server has to end first. */
  const untilThereIsAFloor = () =>
    eventually(async () => {
      await claim(1);
      expect(floors.of(name)).toBeGreaterThan(Number.NEGATIVE_INFINITY);
    });
  const save = (on: Pick<pg.Client, 'query'>, dueSecondsAgo: number, count = 1) =>
    on.query(
      `INSERT INTO messaging.tasks (name, payload, due_at)
       SELECT 'do-work', '{}', clock_timestamp() - $1 * interval '1 second' FROM generate_series(1, $2::int)`,
      [dueSecondsAgo, count],
    );
  const begin = async (isolation = 'READ COMMITTED'): Promise<pg.Client> => {
    const other = new pg.Client({ connectionString: database.adminUrl });
    await other.connect();
    others.push(other);
    await other.query(`BEGIN ISOLATION LEVEL ${isolation}`);
    await other.query('SELECT 1');
    return other;
  };
  const finish = () => pool.query(`UPDATE messaging.tasks SET state = 'done', lease_until = NULL`);
  /** Entries of the index that claims have read so far, dead ones as well. */
  const entriesRead = async (): Promise<number> => {
    await pool.query('SELECT pg_stat_force_next_flush()');
    const { rows } = await pool.query<{ read: number }>(
      `SELECT idx_tup_read::int AS read FROM pg_stat_user_indexes WHERE indexrelname = 'tasks_free_from'`,
    );
    return rows[0]?.read ?? Number.NaN;
  };

  it('walks over nothing that has been done, although an old snapshot still sees it', async () => {
    await save(pool, 60, FINISHED);
    await begin('REPEATABLE READ');
    await finish();
    const before = await entriesRead();
    await claim();
    const first = await entriesRead();
    // The first one of a process knows nothing yet: it shows that there is something to walk over.
    expect(first - before).toBeGreaterThan(FINISHED / 2);
    await untilThereIsAFloor();
    const floored = await entriesRead();
    for (let n = 0; n < 5; n += 1) {
      await save(pool, 0);
      expect(await claim()).toHaveLength(1);
    }
    expect((await entriesRead()) - floored).toBeLessThan(100);
  });

  it('walks over nothing that it has just taken out of a long line', async () => {
    await begin('REPEATABLE READ');
    await save(pool, 60, FINISHED);
    await claim(FINISHED / 2);
    await untilThereIsAFloor();
    await claim(1);
    const before = await entriesRead();
    expect(await claim(1)).toHaveLength(1);
    expect((await entriesRead()) - before).toBeLessThan(100);
  });

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

  it('takes no task of another before its lease has run out, and then under the same number', async () => {
    await save(pool, 20);
    const [held] = await claim();
    expect(await claim()).toEqual([]);
    await pool.query('UPDATE messaging.tasks SET lease_until = clock_timestamp()');
    const [again] = await claim();
    expect(again).toMatchObject({ id: held?.id, attempt: 1, lostLeases: 1 });
  });

  it('finds after a deep look a row that was written below the floor', async () => {
    await untilThereIsAFloor();
    await save(pool, 3_600);
    expect(await claim()).toEqual([]);
    expect(await lookBelowFloors(pool, floors, [name])).toEqual([name]);
    expect(await claim()).toHaveLength(1);
    expect(await lookBelowFloors(pool, floors, [name])).toEqual([]);
  });
});
