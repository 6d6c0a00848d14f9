import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog, createPool } from '@tds/service-kit';
import { testContext } from '@tds/service-kit/testing';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import { createDatabase } from '../store/database.ts';
import { purgeOldOperations } from './purge-old-operations.ts';

const OLD = 50_000;

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let db: ReturnType<typeof createDatabase>;
beforeAll(async () => {
  database = await createTestDatabase('transcript-fetcher');
  const log = createLog({ service: 'transcript-fetcher', level: 'silent' });
  pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 4, log });
  db = createDatabase(pool);
});
afterAll(async () => {
  await db?.$disconnect();
  await pool?.end();
  await database?.drop();
});

/** Operations of their own fetches, all of one transcript: the worst that a foreign key without an index would meet. */
const add = async (
  count: number,
  { age, settlement }: { age: string; settlement: string },
): Promise<void> => {
  await pool.query(
    `INSERT INTO transcripts (id, video_id, language_code, kind, translated, object_key, cue_count, cached_at)
     VALUES ('00000000-0000-7000-8000-000000000001', 'manualEn001', 'en', 'manual', false, 'cues/x', 1, now())
     ON CONFLICT DO NOTHING`,
  );
  await pool.query(
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
  (await pool.query(`SELECT count(*)::int AS count FROM ${table}`)).rows[0].count;

describe('the purge of old operations', () => {
  it(`forgets ${OLD} at once, in batches that stay deleted, and keeps what is young or not settled`, async () => {
    await add(OLD, { age: '8 days', settlement: 'settled' });
    await add(3, { age: '9 days', settlement: 'pending' });
    await add(5, { age: '6 days', settlement: 'settled' });
    await pool.query(
      `INSERT INTO cold_counts SELECT 'key:' || n, current_date - 9, 1 FROM generate_series(1, 3000) AS n`,
    );
    await pool.query(`INSERT INTO cold_counts VALUES ('key:young', current_date, 1)`);
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
    const before = await count('operations');
    await purgeOldOperations({ db }, testContext({ signal: AbortSignal.abort() }));
    expect(await count('operations')).toBe(before);
    await purgeOldOperations({ db }, testContext({ signal: new AbortController().signal }));
    expect(await count('operations')).toBe(before - 2_500);
  });
});
