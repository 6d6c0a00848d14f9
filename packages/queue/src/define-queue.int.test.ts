import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import type pg from 'pg';
import { defineQueue } from './define-queue.ts';

type Tried = { readonly tries: number };

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const letters = defineQueue<Tried, Tried>({
  table: 'letters',
  reads: ['tries'],
  writes: { tries: 'smallint' },
  leaseMs: [MINUTE_MS, 10 * MINUTE_MS],
  where: 'due_at IS NOT NULL',
});

describe('a declared queue', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase('messaging');
  });
  afterAll(() => database?.drop());
  beforeEach(async () => {
    pool = createTestPool(database.adminUrl, 1);
    await pool.query(`
      DROP TABLE IF EXISTS letters;
      CREATE TABLE letters (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), tries smallint NOT NULL DEFAULT 0,
        due_at timestamptz, lease_until timestamptz, lease_epoch bigint NOT NULL DEFAULT 0);
      CREATE INDEX letters_free_from ON letters (greatest(due_at, lease_until)) WHERE due_at IS NOT NULL`);
  });
  afterEach(() => pool.end());

  const add = (dueAt: string, count = 1) =>
    pool.query(`INSERT INTO letters (due_at) SELECT ${dueAt} FROM generate_series(1, $1)`, [count]);
  const claimOne = async () => {
    const [row] = await letters.claim(pool, 1);
    if (row === undefined) throw new Error('nothing is due');
    return row;
  };
  const leaseSeconds = async (): Promise<number> => {
    const text = 'SELECT extract(epoch FROM lease_until - now())::float8 AS seconds FROM letters';
    return (await pool.query<{ seconds: number }>(text)).rows[0]?.seconds ?? 0;
  };
  const loseLeases = () => pool.query('UPDATE letters SET lease_until = now()');
  const firstDue = async (): Promise<boolean> =>
    (await pool.query<{ is: boolean | null }>(`SELECT (${letters.firstDue}) <= now() AS is`)).rows[0]?.is ??
    false;

  it('gives a row to one worker until its lease ends, and shows it as overdue only while it is free', async () => {
    await add("now() - interval '1 minute'");
    expect([await firstDue(), (await letters.overdue(pool)).count]).toEqual([true, 1]);
    await claimOne();
    expect([await firstDue(), (await letters.overdue(pool)).count]).toEqual([false, 0]);
    expect(await letters.claim(pool, 1)).toEqual([]);
    await loseLeases();
    expect(await claimOne()).toMatchObject({ tries: 2, epoch: '2' });
  });

  it('retries what was not saved after the lease of its try, the last one for all later tries', async () => {
    await add('now()');
    const leases: number[] = [];
    for (const _ of [1, 2, 3]) {
      await claimOne();
      leases.push(Math.round(await leaseSeconds()));
      await loseLeases();
    }
    expect(leases).toEqual([60, 600, 600]);
  });

  it('lets a worker that lost its lease save nothing', async () => {
    await add('now()');
    const lost = await claimOne();
    await loseLeases();
    const held = await claimOne();
    const outcome = { nextInMs: HOUR_MS, changes: { tries: 0 } };
    expect(await letters.save(pool, [{ ...lost, ...outcome }])).toEqual([]);
    expect(await letters.save(pool, [{ ...held, ...outcome }])).toEqual([held.id]);
    expect((await pool.query('SELECT tries, lease_until FROM letters')).rows).toEqual([
      { tries: 0, lease_until: null },
    ]);
  });

  it('leaves a row due that was made due while a worker had it', async () => {
    await add("now() - interval '1 minute'");
    const held = await claimOne();
    await pool.query('UPDATE letters SET due_at = now()');
    expect(await letters.claim(pool, 1)).toEqual([]);
    await letters.save(pool, [{ ...held, nextInMs: HOUR_MS, changes: { tries: 0 } }]);
    expect(await claimOne()).toMatchObject({ id: held.id, tries: 1 });
  });

  it('never claims a row that has nothing to do, though its lease has ended', async () => {
    await add('NULL');
    await loseLeases();
    expect([await firstDue(), await letters.claim(pool, 1)]).toEqual([false, []]);
  });

  it('reads only the rows that it claims, also by a plan that was made while the table was empty', async () => {
    for (const _ of Array.from({ length: 6 })) await letters.claim(pool, 4);
    await add("now() - interval '1 minute'", 2_000);
    await pool.query('BEGIN');
    expect(await letters.claim(pool, 4)).toHaveLength(4);
    const text = `SELECT (seq_tup_read + idx_tup_fetch)::int AS read FROM pg_stat_xact_user_tables WHERE relname = 'letters'`;
    const { rows } = await pool.query<{ read: number }>(text);
    await pool.query('ROLLBACK');
    expect(rows[0]?.read).toBeLessThan(50);
  });
});
