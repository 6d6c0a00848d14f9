import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { createTestDatabase, eventually, type TestDatabase } from '@tds/test-kit';
import type pg from 'pg';
import { defineQueue } from './define-queue.ts';
import { type DrainOptions, drainDue } from './drain-due.ts';

type Feed = { readonly n: number };
type Written = { readonly etag: string | null };

const TABLE = { table: 'feeds', reads: ['n'], writes: { etag: 'text' }, stamps: 'checked_at', jitter: 0.5 };
const feeds = defineQueue<Feed, Written>({ ...TABLE, leaseMs: 60_000 });
const never = new AbortController().signal;
const HOUR_MS = 3_600_000;

describe('rows that are due again and again', () => {
  let database: TestDatabase;
  let pool: pg.Pool;
  beforeAll(async () => {
    database = await createTestDatabase('messaging');
  });
  afterAll(() => database?.drop());
  beforeEach(async () => {
    pool = createTestPool(database.adminUrl, 4);
    await pool.query(`
      DROP TABLE IF EXISTS feeds;
      CREATE TABLE feeds (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n int, etag text, checked_at timestamptz,
        due_at timestamptz NOT NULL DEFAULT now(), lease_until timestamptz, lease_epoch bigint NOT NULL DEFAULT 0);
      CREATE INDEX feeds_free_from ON feeds (greatest(due_at, lease_until))`);
  });
  afterEach(() => pool.end());

  const fill = (count: number, due = '0 s') =>
    pool.query(
      `INSERT INTO feeds (n, due_at) SELECT n, now() - $2::interval FROM generate_series(1, $1) AS n`,
      [count, due],
    );
  const drain = (given: Partial<DrainOptions<Feed, Written>>) =>
    drainDue(pool, feeds, {
      work: async () => ({ nextInMs: HOUR_MS, changes: { etag: 'e' } }),
      onFailure: () => {},
      concurrency: 8,
      signal: never,
      ...given,
    });
  const loseLeases = () => pool.query('UPDATE feeds SET lease_until = now() WHERE lease_until IS NOT NULL');

  it('are each worked on once, however many instances do so at the same time', async () => {
    await fill(500);
    const seen: number[] = [];
    const work = async ({ n }: Feed) => {
      seen.push(n);
      return { nextInMs: HOUR_MS, changes: { etag: `e${n}` } };
    };
    const all = await Promise.all([1, 2, 3].map(() => drain({ work })));
    expect(seen.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 500 }, (_, n) => n + 1));
    expect(all.reduce((sum, { saved }) => sum + saved, 0)).toBe(500);
    const { rows } = await pool.query(
      `SELECT FROM feeds WHERE etag = 'e' || n AND lease_until IS NULL AND due_at > now() + interval '50 minutes'
         AND checked_at BETWEEN now() - interval '10 minutes' AND now()`,
    );
    expect(rows).toHaveLength(500);
  });

  it('that were due together are not due together the next time', async () => {
    await fill(100);
    await drain({});
    const { rows } = await pool.query<{ spread: number }>(
      `SELECT extract(epoch FROM max(due_at) - min(due_at))::int AS spread FROM feeds`,
    );
    expect(rows[0]?.spread).toBeGreaterThan(HOUR_MS / 1_000 / 4);
    expect(rows[0]?.spread).toBeLessThan(HOUR_MS / 1_000);
  });

  it('go to others when their lease has run out, and their former holder saves nothing', async () => {
    await fill(1);
    const [lost] = await feeds.claim(pool, 1);
    expect(await feeds.claim(pool, 1)).toEqual([]);
    await loseLeases();
    const [taken] = await feeds.claim(pool, 1);
    expect(taken).toMatchObject({ id: lost?.id, epoch: '2' });
    const outcome = { nextInMs: HOUR_MS, changes: { etag: 'late' } };
    expect(await feeds.save(pool, [{ ...lost!, ...outcome }])).toEqual([]);
    expect(await feeds.save(pool, [{ ...taken!, ...outcome }])).toEqual([taken?.id]);
  });

  it('hold up no others if the work on them throws or never ends, and come again after their lease', async () => {
    await fill(40);
    const quick = defineQueue<Feed, Written>({ ...TABLE, leaseMs: 2_000 });
    const failed: string[] = [];
    let begun = 0;
    const drained = await drainDue(pool, quick, {
      work: async () => {
        begun += 1;
        if (begun === 1) throw new RangeError('no feed');
        if (begun === 2) return new Promise<never>(() => {});
        return { nextInMs: HOUR_MS, changes: { etag: 'e' } };
      },
      onFailure: (error) => void failed.push((error as Error).name),
      concurrency: 40,
      signal: never,
    });
    expect(drained.saved).toBe(drained.claimed - 2);
    expect(failed).toEqual(['RangeError', 'TimeLimitExceeded']);
    await loseLeases();
    const again = await drain({});
    expect(again).toEqual({ claimed: 2, saved: 2 });
  });

  it('are taken for 45 seconds by one drain: those for which a place is free only then are left to the next', async () => {
    await fill(20);
    let now = 0;
    const work = async () => {
      now += 10_000;
      return { nextInMs: HOUR_MS, changes: { etag: 'e' } };
    };
    expect(await drain({ work, concurrency: 1, clock: () => now })).toEqual({ claimed: 5, saved: 5 });
    const left = 'SELECT FROM feeds WHERE due_at <= now() AND lease_until IS NULL';
    expect((await pool.query(left)).rows).toHaveLength(15);
  });

  it('are saved while others are still worked on, so that no lease runs out meanwhile', async () => {
    await fill(8);
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const draining = drain({
      work: async () => {
        begun += 1;
        if (begun === 1) await gate.promise;
        return { nextInMs: HOUR_MS, changes: { etag: 'e' } };
      },
    });
    const saved = `SELECT FROM feeds WHERE etag = 'e'`;
    await eventually(async () => expect((await pool.query(saved)).rows).toHaveLength(7));
    gate.resolve();
    expect(await draining).toEqual({ claimed: 8, saved: 8 });
  });

  it.each([1, 7])('that become due while %s of eight hang are worked on meanwhile', async (hanging) => {
    await fill(hanging);
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const draining = drain({
      work: async () => {
        begun += 1;
        if (begun <= hanging) await gate.promise;
        return { nextInMs: HOUR_MS, changes: { etag: 'e' } };
      },
    });
    await eventually(async () => expect(begun).toBe(hanging));
    await fill(20);
    await eventually(async () =>
      expect((await pool.query(`SELECT FROM feeds WHERE etag = 'e'`)).rows).toHaveLength(20),
    );
    gate.resolve();
    expect(await draining).toEqual({ claimed: hanging + 20, saved: hanging + 20 });
  });

  it('are not worked on again because the database could not save them at once', async () => {
    await fill(40);
    let refused = 0;
    const flaky: typeof feeds = {
      ...feeds,
      save: (to, outcomes) => {
        if (refused === 3 || outcomes.length === 0) return feeds.save(to, outcomes);
        refused += 1;
        return Promise.reject(new Error('timeout exceeded when trying to connect'));
      },
    };
    const work = async () => ({ nextInMs: HOUR_MS, changes: { etag: 'e' } });
    const drained = await drainDue(pool, flaky, { work, onFailure: () => {}, concurrency: 8, signal: never });
    expect([drained, refused]).toEqual([{ claimed: 40, saved: 40 }, 3]);
    expect(await drain({})).toEqual({ claimed: 0, saved: 0 });
  });

  it('are due again after their lease, and it logs why, if the database saves nothing at all', async () => {
    await fill(3);
    const quick = defineQueue<Feed, Written>({ ...TABLE, leaseMs: 1_000 });
    const broken: typeof feeds = { ...quick, save: () => Promise.reject(new Error('read-only')) };
    const work = async () => ({ nextInMs: HOUR_MS, changes: { etag: 'e' } });
    const drained = drainDue(pool, broken, { work, onFailure: () => {}, concurrency: 8, signal: never });
    await expect(drained).rejects.toThrow('read-only');
    await loseLeases();
    expect(await drain({})).toEqual({ claimed: 3, saved: 3 });
  });

  it('are left when the time is over or the signal fires; what was begun is saved', async () => {
    await fill(100);
    const ending = new AbortController();
    const work = async () => {
      ending.abort();
      return { nextInMs: HOUR_MS, changes: { etag: null } };
    };
    expect(await drain({ work, signal: ending.signal })).toEqual({ claimed: 8, saved: 8 });
    expect(await drain({ maxMs: 0 })).toEqual({ claimed: 0, saved: 0 });
    expect((await pool.query('SELECT FROM feeds WHERE due_at > now()')).rows).toHaveLength(8);
  });

  it('are found among many that are not due by reading these only, the longest due first', async () => {
    await fill(20_000, '-1 hour');
    await fill(3, '1 minute');
    await fill(1, '1 hour');
    await pool.query('ANALYZE feeds');
    const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT id FROM feeds WHERE greatest(due_at, lease_until) <= now()
       ORDER BY greatest(due_at, lease_until) LIMIT 8 FOR UPDATE SKIP LOCKED`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('feeds_free_from');
    const [first] = await feeds.claim(pool, 1);
    const { rows: due } = await pool.query(
      `SELECT FROM feeds WHERE id = $1 AND due_at < now() - interval '59 minutes'`,
      [first?.id],
    );
    expect(due).toHaveLength(1);
    expect(await feeds.claim(pool, 8)).toHaveLength(3);
  });
});
