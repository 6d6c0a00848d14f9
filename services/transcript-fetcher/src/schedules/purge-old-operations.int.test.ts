import { testContext } from '@tds/service-kit/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findOperation } from '../store/operations.ts';
import { purgeColdCounts, purgeFetches, purgeOperations } from '../store/purge.ts';
import { openTables, type Tables } from '../test-support/tables.ts';
import { purgeOldOperations } from './purge-old-operations.ts';

const OLD = 50_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());
beforeEach(async () => {
  for (const table of ['operations', 'fetches', 'cold_counts']) await tables.query(`DELETE FROM ${table}`);
});

/** Operations of their own fetches, all of one transcript: the worst that a foreign key without an index would meet. */
const add = async (
  count: number,
  { age, settlement }: { age: string; settlement: string },
): Promise<void> => {
  await tables.query(
    `INSERT INTO transcripts (id, video_id, language_code, kind, translated, object_key, cue_count, cached_at)
     VALUES ('00000000-0000-7000-8000-000000000001', 'manualEn001', 'en', 'manual', false, 'cues/x', 1, now())
     ON CONFLICT DO NOTHING`,
  );
  await tables.query(
    `WITH fetched AS (
       INSERT INTO fetches (id, video_id, language, fallback, state, created_at)
       SELECT gen_random_uuid(), 'manualEn001', 'en', true, 'done', now() - $2::interval FROM generate_series(1, $1)
       RETURNING id
     )
     INSERT INTO operations (id, account_id, key_id, video_id, language, fallback, format, state, settlement, fetch_id,
       transcript_id, charge, created_at, ended_at)
     SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'manualEn001', 'en', true, 'srt', 'delivered', $3, id,
       '00000000-0000-7000-8000-000000000001', 1, now() - $2::interval, now() - $2::interval FROM fetched`,
    [count, age, settlement],
  );
};
const count = async (table: string): Promise<number> =>
  (await tables.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`))[0]?.count ?? 0;

describe('the purge of old operations', () => {
  it(`forgets ${OLD} at once, in batches that stay deleted, and keeps what is young or not settled`, async () => {
    await add(OLD, { age: '8 days', settlement: 'settled' });
    await add(3, { age: '9 days', settlement: 'pending' });
    await add(5, { age: '6 days', settlement: 'settled' });
    await tables.query(
      `INSERT INTO cold_counts SELECT 'key:' || n, current_date - 9, 1 FROM generate_series(1, 3000) AS n`,
    );
    await tables.query(`INSERT INTO cold_counts VALUES ('key:young', current_date, 1)`);
    const { db } = tables;
    const ending = new AbortController();
    const seen: number[] = [];
    const watching = setInterval(() => void count('operations').then((left) => seen.push(left)), 50);
    await purgeOldOperations({ db }, testContext({ signal: ending.signal }));
    clearInterval(watching);
    expect(await Promise.all(['operations', 'fetches', 'cold_counts'].map(count))).toEqual([8, 8, 1]);
    // Others saw it go bit by bit: no statement held all of it.
    expect(new Set(seen).size).toBeGreaterThan(2);
  });

  it('ends after the batch in hand when the process ends, and goes on the next time', async () => {
    await add(2_500, { age: '8 days', settlement: 'settled' });
    const { db } = tables;
    const before = await count('operations');
    await purgeOldOperations({ db }, testContext({ signal: AbortSignal.abort() }));
    expect(await count('operations')).toBe(before);
    await purgeOldOperations({ db }, testContext({ signal: new AbortController().signal }));
    expect(await count('operations')).toBe(before - 2_500);
  });
});

describe('what is old enough to be forgotten', () => {
  const week = { olderThanDays: 7 };
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
  const old = { settlement: 'settled', created_at: ago(8) };
  const delivered = async (given: Record<string, unknown>) =>
    tables.add.operation({
      ...{ state: 'delivered', transcript_id: await tables.add.transcript(), charge: 1, ...given },
    });
  const idsIn = async (table: string) =>
    new Set((await tables.query<{ id: string }>(`SELECT id FROM ${table}`)).map(({ id }) => id));

  it('is an operation that has ended and is resolved, the oldest first, as many as a batch may be', async () => {
    for (const settlement of ['settled', 'uncollected', 'by_caller']) await delivered({ ...old, settlement });
    await tables.add.operation({ ...old, state: 'failed', settlement: 'released' });
    const oldest = await delivered({ ...old, created_at: ago(9) });
    const kept = [
      await delivered({ ...old, settlement: 'pending' }),
      await tables.add.operation({ ...old, state: 'fetching', settlement: 'by_caller' }),
      await tables.add.operation({ ...old, state: 'reserving', settlement: 'released' }),
      await delivered({ ...old, created_at: ago(6.9) }),
    ];
    expect(await purgeOperations(tables.db, week, 1)).toBe(1);
    expect(await findOperation(tables.db, oldest)).toBeNull();
    expect(await purgeOperations(tables.db, week, 100)).toBe(4);
    expect(await idsIn('operations')).toEqual(new Set(kept));
    expect(await purgeOperations(tables.db, week, 100)).toBe(0);
  });

  it('is a fetch that has ended and that no operation points to any more', async () => {
    const created_at = ago(8);
    await tables.add.fetch({ state: 'failed', created_at });
    const kept = [
      await tables.add.fetch({ state: 'done', created_at }),
      await tables.add.fetch({ created_at }),
      await tables.add.fetch({ state: 'done', created_at: ago(6.9) }),
    ];
    await delivered({ fetch_id: kept[0] });
    expect(await purgeFetches(tables.db, week, 100)).toBe(1);
    expect(await idsIn('fetches')).toEqual(new Set(kept));
  });

  it('is a count of a UTC day that is more than seven days ago, in batches', async () => {
    await tables.query(
      `INSERT INTO cold_counts
       SELECT 'key:' || n, (now() AT TIME ZONE 'UTC')::date - n, 1 FROM generate_series(0, 12) AS n`,
    );
    expect(await purgeColdCounts(tables.db, week, 3)).toBe(3);
    expect(await purgeColdCounts(tables.db, week, 3)).toBe(2);
    const left = await tables.query<{ scope: string }>('SELECT scope FROM cold_counts ORDER BY day DESC');
    expect(left.map(({ scope }) => scope)).toEqual(Array.from({ length: 8 }, (_, days) => `key:${days}`));
  });
});
