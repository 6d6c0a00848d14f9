import { randomUUID } from 'node:crypto';
import { serviceError } from '@tds/contracts';
import { createSql, type Sql } from '@tds/service-kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deliveryFor } from '../test-support/deliveries.ts';
import { freshVideo, openTables, SENDING, type Tables } from '../test-support/tables.ts';
import { findBatchRows } from './batch-rows.ts';
import { deliverTracks, failFetches } from './end-fetches.ts';
import { openBatch } from './open-batch.ts';
import { findRestorable, restoreBatch } from './restore-batch.ts';

const ROWS = 2_000;
/** Each of four rows, as often as any of the statements looks at it. */
const MOST_READ = 100;
const OTHERS_HAVE = ['videos', 'transcripts', 'selections', 'rendered_files', 'fetches', 'operations'];
const now = new Date('2026-11-20T12:00:00.000Z');
const error = serviceError('no_captions').data;
const wanted = { language: 'en', fallback: true, format: 'srt', price: 1 } as const;

let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

/** Every statement of a batch: half of its rows are delivered, half of them fail, and what was delivered is lost and restored. */
const doBatch = async (sql: Sql): Promise<void> => {
  const accountId = randomUUID();
  const rows = Array.from({ length: 4 }, () => ({ operationId: randomUUID(), videoId: freshVideo() }));
  await findBatchRows(sql, rows, wanted);
  const unknown = rows.map((row) => ({ ...row, seen: false }));
  const scopes = [{ name: `account:${accountId}`, most: 10 }];
  const admission = { day: '2026-11-20', scopes, permits: rows.length };
  const batch = { ...wanted, accountId, keyId: null };
  await openBatch(sql, { ...batch, rows: unknown }, admission, SENDING);
  const begun = await sql<{ id: string; videoId: string }>(
    {
      name: 'begun',
      text: 'SELECT fetch_id AS id, video_id AS "videoId" FROM operations WHERE id = ANY ($1)',
    },
    [rows.map(({ operationId }) => operationId)],
  );
  const fetches = begun.map((fetch) => ({ ...fetch, language: 'en', fallback: true }));
  const deliveries = fetches.slice(2).map((fetch) => deliveryFor(fetch, now));
  expect((await deliverTracks(sql, deliveries, SENDING)).result).toHaveLength(2);
  const failures = fetches.slice(0, 2).map((fetch) => ({ fetch, error, selection: null, video: null }));
  expect((await failFetches(sql, failures, SENDING)).result).toHaveLength(2);
  await findBatchRows(sql, rows, wanted);
  const transcriptIds = deliveries.map(({ transcript }) => transcript?.id ?? '');
  const lost = await findRestorable(sql, transcriptIds, now);
  const again = lost.map((row) => ({ ...row, operationId: randomUUID() }));
  expect((await restoreBatch(sql, { ...batch, rows: again }, SENDING)).result).toHaveLength(2);
};

/** Videos of others: cached, failed, and under way for operations of their own. */
const addOthers = async () => {
  const many = `FROM generate_series(1, ${ROWS}) AS n`;
  const other = (kind: string) => `'${kind}' || lpad(n::text, 7, '0')`;
  for (const text of [
    `INSERT INTO videos (id, status, fact) SELECT ${other('gone')}, 'no_captions', '{}' ${many}`,
    `INSERT INTO transcripts (id, video_id, language_code, kind, translated, object_key, cue_count, cached_at)
     SELECT gen_random_uuid(), ${other('kept')}, 'en', 'manual', false, 'cues/x', 1, now() ${many}`,
    `INSERT INTO selections (video_id, language, transcript_id, is_fallback, translation, available)
     SELECT video_id, 'en', id, false, 'not_requested', '{en}' FROM transcripts WHERE video_id LIKE 'kept%'`,
    `INSERT INTO rendered_files SELECT id, 'srt', 'rendered/x', 1, 'x', 1 FROM transcripts WHERE video_id LIKE 'kept%'`,
    `INSERT INTO fetches (id, video_id, language, fallback) SELECT gen_random_uuid(), ${other('open')}, 'en', true ${many}`,
    `INSERT INTO operations (id, account_id, key_id, video_id, language, fallback, format, state, fetch_id)
     SELECT gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), video_id, 'en', true, 'srt', 'fetching', id
     FROM fetches WHERE video_id LIKE 'open%'`,
  ])
    await tables.query(text);
};

it('a batch reads its own rows only, also where it was planned while the tables were empty', async () => {
  const client = await tables.pool.connect();
  const sql = createSql(client);
  try {
    await doBatch(sql);
    await addOthers();
    await client.query('BEGIN');
    await doBatch(sql);
    const { rows } = await client.query<{ name: string; read: number }>(
      `SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS read
       FROM pg_stat_xact_user_tables WHERE schemaname = 'public'`,
    );
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(OTHERS_HAVE));
    expect(rows.filter(({ read }) => read > MOST_READ)).toEqual([]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
