import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testContext } from '@tds/kit/testing';
import { findOperation } from './reads/store/operations.ts';
import { createPurges, purgeOldOperations } from './store/purge.ts';
import { openTables, type Tables } from './test-support/tables.ts';

const OLD = 50_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());
beforeEach(async () => {
  for (const table of ['operations', 'fetches', 'batches', 'cold_counts', 'turns', 'selections'])
    await tables.query(`DELETE FROM ${table}`);
});

/** Operations with their own fetches, all of one transcript: the worst case for a foreign key without an index. */
const add = async (
  count: number,
  { age, state = 'delivered' }: { age: string; state?: string },
): Promise<void> => {
  await tables.query(
    `INSERT INTO transcripts (id, video_id, language_code, kind, translated, object_key, cached_at,
       video, strategy)
     VALUES ('00000000-0000-7000-8000-000000000001', 'manualEn001', 'en', 'manual', false, 'cues/x', now(), '{}', 'android')
     ON CONFLICT DO NOTHING`,
  );
  await tables.query(
    `WITH fetched AS (
       INSERT INTO fetches (id, priority, video_id, language, fallback, state, worker_id, begun_at)
       SELECT gen_random_uuid(), 'reads', 'manualEn001', 'en', true, 'done', gen_random_uuid(), now() - $2::interval FROM generate_series(1, $1)
       RETURNING id
     )
     INSERT INTO operations (id, account_id, key_id, video_id, language, fallback, format, state, fetch_id, priority,
       position, price, transcript_id, created_at, ended_at)
     SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'manualEn001', 'en', true, 'srt', $3, id, 'reads', 0, 1,
       CASE WHEN $3 = 'delivered' THEN '00000000-0000-7000-8000-000000000001'::uuid END, now() - $2::interval,
       CASE WHEN $3 = 'delivered' THEN now() - $2::interval END FROM fetched`,
    [count, age, state],
  );
};
const count = async (table: string): Promise<number> =>
  (await tables.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]?.count ?? 0;

describe('the purge of old operations', () => {
  it(`deletes ${OLD} in one run, in batches that commit, and keeps young or open ones`, async () => {
    await add(OLD, { age: '8 days' });
    await add(3, { age: '9 days', state: 'ready' });
    await add(5, { age: '7 days' });
    await tables.query(
      `INSERT INTO cold_counts SELECT 'key:' || n, current_date - 9, 1 FROM generate_series(1, 3000) AS n`,
    );
    await tables.query(`INSERT INTO cold_counts VALUES ('key:young', current_date, 1)`);
    const { db } = tables;
    const result = new AbortController();
    const seen: number[] = [];
    const watching = setInterval(() => void count('operations').then((left) => seen.push(left)), 50);
    await purgeOldOperations({ db }, testContext({ signal: result.signal }));
    clearInterval(watching);
    expect(await Promise.all(['operations', 'fetches', 'cold_counts'].map(count))).toEqual([8, 8, 1]);
    // Other connections saw the number shrink step by step, so no statement held all.
    expect(new Set(seen).size).toBeGreaterThan(2);
  });

  it('ends after the current batch if the process stops, and continues in the next run', async () => {
    await add(2_500, { age: '8 days' });
    const { db } = tables;
    const before = await count('operations');
    await purgeOldOperations({ db }, testContext({ signal: AbortSignal.abort() }));
    expect(await count('operations')).toBe(before);
    await purgeOldOperations({ db }, testContext({ signal: new AbortController().signal }));
    expect(await count('operations')).toBe(before - 2_500);
  });
});

describe('the purge deletes', () => {
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
  const old = { created_at: ago(8), ended_at: ago(8) };
  const delivered = async (given: Record<string, unknown>) =>
    tables.add.operation({
      state: 'delivered',
      transcript_id: await tables.add.transcript(),
      charge: 1,
      ...given,
    });
  const idsIn = async (table: string) =>
    new Set((await tables.query<{ id: string }>(`SELECT id FROM ${table}`)).map(({ id }) => id));

  it('ended operations, oldest first, up to the batch size', async () => {
    for (const _ of Array(3)) await delivered(old);
    await tables.add.operation({ ...old, state: 'failed' });
    await tables.add.operation({ ...old, state: 'cancelled', priority: 'jobs' });
    const oldest = await delivered({ ...old, created_at: ago(9) });
    const kept = [
      await tables.add.operation({ created_at: ago(9), state: 'fetching' }),
      await tables.add.operation({ created_at: ago(9), state: 'ready' }),
      await delivered({ created_at: ago(9), ended_at: ago(7.9) }),
      await delivered({ created_at: ago(7.9), ended_at: ago(7.9) }),
    ];
    expect(await createPurges(tables.db).operations(1)).toBe(1);
    expect(await findOperation(tables.db, oldest)).toBeNull();
    expect(await createPurges(tables.db).operations(100)).toBe(5);
    expect(await idsIn('operations')).toEqual(new Set(kept));
    expect(await createPurges(tables.db).operations(100)).toBe(0);
  });

  it('batches without rows, with reservations and versions; tombstones after the same time', async () => {
    const add = async (age: string, given = '') => {
      const id = randomUUID();
      await tables.query(
        `INSERT INTO batches (id, priority, account_id, created_at, is_queued) VALUES ($1, 'jobs', $1, now() - $2::interval, $3)`,
        [id, age, given === 'queued'],
      );
      await tables.query(`INSERT INTO reservations VALUES ($1, $1, current_date, '{}')`, [id]);
      await tables.query('INSERT INTO batch_versions VALUES ($1, 1)', [id]);
      return id;
    };
    await add('8 days');
    const kept = [await add('8 days'), await add('8 days', 'queued'), await add('7 days')];
    await delivered({ batch_id: kept[0], priority: 'jobs' });
    expect(await createPurges(tables.db).batches(100)).toBe(1);
    expect(await idsIn('batches')).toEqual(new Set(kept));
    const versions = await tables.query<{ batch_id: string }>('SELECT batch_id FROM batch_versions');
    expect(new Set(versions.map((row) => row.batch_id))).toEqual(new Set(kept));
  });

  it('batches by an index: it reads none of the many that are young, nor their rows', async () => {
    await tables.query(
      `INSERT INTO batches (id, priority, account_id) SELECT gen_random_uuid(), 'jobs', gen_random_uuid() FROM generate_series(1, 20000)`,
    );
    await tables.query(
      `INSERT INTO operations (id, priority, batch_id, position, account_id, video_id, language, fallback, format, state, price)
       SELECT gen_random_uuid(), 'jobs', id, 0, account_id, 'manualEn001', 'en', true, 'srt', 'ready', 1 FROM batches`,
    );
    const old = [randomUUID(), randomUUID(), randomUUID()];
    for (const [index, id] of old.entries())
      await tables.query(
        `INSERT INTO batches (id, priority, account_id, created_at) VALUES ($1, $2, $1, now() - interval '8 days')`,
        [id, index === 0 ? 'reads' : 'jobs'],
      );
    await delivered({ batch_id: old[0] });
    await delivered({ batch_id: old[1], priority: 'jobs' });
    await tables.analyze();
    // The counts of a connection include what it read before and has not reported yet.
    await tables.db.$transaction(async (tx) => {
      const rowsRead = async () => {
        const [seen] = await tx.$queryRaw<{ rows: number }[]>`
          SELECT sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS rows
          FROM pg_stat_xact_user_tables WHERE relname IN ('batches', 'operations')`;
        return seen?.rows ?? 0;
      };
      const before = await rowsRead();
      expect(await createPurges(tx).batches(1_000)).toBe(1);
      const read = (await rowsRead()) - before;
      expect(read).toBeGreaterThan(2);
      expect(read).toBeLessThan(100);
    });
    const left = await tables.query<{ id: string }>('SELECT id FROM batches WHERE id = ANY ($1)', [old]);
    expect(new Set(left.map(({ id }) => id))).toEqual(new Set(old.slice(0, 2)));
  });

  it('ended fetches that no operation refers to', async () => {
    const begun_at = ago(8);
    await tables.add.fetch({ state: 'failed', begun_at });
    const kept = [
      await tables.add.fetch({ state: 'done', begun_at }),
      await tables.add.fetch({ begun_at }),
      await tables.add.fetch({ state: 'done', begun_at: ago(7.9) }),
    ];
    await delivered({ fetch_id: kept[0] });
    expect(await createPurges(tables.db).fetches(100)).toBe(1);
    expect(await idsIn('fetches')).toEqual(new Set(kept));
  });

  it('counts of UTC days more than eight days ago, in batches', async () => {
    await tables.query(
      `INSERT INTO cold_counts
       SELECT 'key:' || n, (now() AT TIME ZONE 'UTC')::date - n, 1 FROM generate_series(0, 12) AS n`,
    );
    expect(await createPurges(tables.db).coldCounts(3)).toBe(3);
    expect(await createPurges(tables.db).coldCounts(3)).toBe(1);
    const left = await tables.query<{ scope: string }>('SELECT scope FROM cold_counts ORDER BY day DESC');
    expect(left.map(({ scope }) => scope)).toEqual(Array.from({ length: 9 }, (_, days) => `key:${days}`));
  });

  it('old turns of accounts that do not wait', async () => {
    await tables.query(
      `INSERT INTO turns SELECT 'jobs', gen_random_uuid(), now() - age::interval, is_queued
       FROM (VALUES ('8 days', false), ('8 days', true), ('7 days', false)) AS given (age, is_queued)`,
    );
    expect(await createPurges(tables.db).turns(100)).toBe(1);
    const left = await tables.query<{ is_queued: boolean }>('SELECT is_queued FROM turns ORDER BY turn');
    expect(left.map(({ is_queued }) => is_queued)).toEqual([true, false]);
  });

  it('proxy bytes of past days', async () => {
    await tables.query(
      `INSERT INTO proxy_spending VALUES ('all', current_date, 1), ('caller:a', current_date - 9, 1)`,
    );
    expect(await createPurges(tables.db).proxySpending(100)).toBe(1);
  });

  it('expired facts and looked-up languages, but no durable fact and nothing of a video with a transcript', async () => {
    const paid = await tables.add.transcript();
    const [{ video_id: paidFor } = { video_id: '' }] = await tables.query<{ video_id: string }>(
      'SELECT video_id FROM transcripts WHERE id = $1',
      [paid],
    );
    await tables.query('DELETE FROM videos');
    await tables.query(
      `INSERT INTO videos (id, fact, fact_expires_at) VALUES ('passed_0001', '{}', now() - interval '30 days'),
         ('young_00001', '{}', now()), ('forgood0001', '{}', NULL), ('listed_0001', '{}', now() - interval '30 days'),
         ($1, '{}', now() - interval '30 days'), ('lookedAt001', NULL, now() - interval '30 days')`,
      [paidFor],
    );
    await tables.query(
      `INSERT INTO selections (video_id, language, is_fallback, translation, available, expires_at)
       VALUES ('passed_0001', 'de', false, 'unavailable', '{}', now() - interval '30 days'),
         ('listed_0001', 'de', false, 'unavailable', '{}', now())`,
    );
    expect(await createPurges(tables.db).selections(100)).toBe(1);
    expect(await createPurges(tables.db).videos(100)).toBe(2);
    expect(await idsIn('videos')).toEqual(new Set(['young_00001', 'forgood0001', 'listed_0001', paidFor]));
  });
});
