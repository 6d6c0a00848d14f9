import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createSql, type Sql } from '@tds/base';
import { serviceError } from '@tds/errors';
import {
  batchesOfKey,
  batchVersions,
  pauseBatch,
  readChanges,
  reopenRows,
  waiveBatch,
} from '../batches/store/batches.ts';
import { completeSettlement, settlementQueue } from '../credits/store/settlements.ts';
import { queueRead, waitingPriorities } from '../fetches/store/rows.ts';
import { claimChargeReport, failRead, waive } from '../reads/store/operations.ts';
import { freshVideos, newSteps, toEnd, toOpenRequest, toRead, toRows } from '../test-support/rows.ts';
import { openTables, type Tables } from '../test-support/tables.ts';
import { findRestoreWaits, findTranscripts, lookUpCache } from '../tracks/store/cache.ts';
import { listCachedVideos } from '../tracks/store/transcripts.ts';

const OTHERS = 2_000;
/** The most reads of one row by all functions together. */
const MAX_READ = 400;
const OTHERS_HAVE = [
  'videos',
  'transcripts',
  'selections',
  'rendered_files',
  'fetches',
  'operations',
  'batches',
  'batch_versions',
  'reservations',
  'turns',
  'settlements',
  'cold_counts',
];
const selection = { language: 'en', fallback: true } as const;
const error = serviceError('no_captions').data;

let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

/** A job of four rows: two delivered (one of them lost), one failed, one paused; then waived. */
const doJob = async (of: Tables) => {
  const { sql } = of;
  const steps = newSteps(of);
  const batch = toOpenRequest({ rows: toRows(freshVideos(4)) });
  const owned = { batchId: String(batch.batchId), accountId: batch.accountId };
  await steps.open(batch);
  await steps.hold(batch, [1, 2, 3]);
  const begun = (await steps.begin(batch.rows.slice(0, 3).map(({ id }) => id))) ?? [];
  const [first, ...others] = begun.map((each) => toEnd(each));
  if (!first) throw new Error('three rows have begun');
  const failed = { ...first, track: null, file: null, selection: null, error };
  const { ended } = await steps.end([failed, ...others]);
  expect(ended).toHaveLength(3);
  const changes = await readChanges(sql, owned.batchId, { version: 0, position: -1 }, 500);
  expect(changes).toHaveLength(3);
  const ids = others.flatMap(({ track }) => track?.id ?? []);
  expect(await findTranscripts(sql, ids, 'srt')).toHaveLength(2);
  await findRestoreWaits(sql, ids);
  await listCachedVideos(
    sql,
    batch.rows.map(({ videoId }) => videoId),
  );
  await reopenRows(
    sql,
    owned.batchId,
    batch.rows.map(({ id }) => id),
  );
  await batchesOfKey(sql, owned.accountId, owned.accountId);
  await pauseBatch(sql, owned, 'held');
  await batchVersions(sql, [owned.batchId]);
  await waiveBatch(sql, owned);
};

/** Two reads: one is delivered and waived, the other waits and fails. */
const doReads = async (of: Tables) => {
  const { sql } = of;
  const steps = newSteps(of);
  const [read, queued] = [toRead(), toRead()];
  const { accountId, reservation: id } = read;
  const videoId = String(read.rows[0]?.videoId);
  const settlementId = randomUUID();
  const begun = await steps.start(read);
  await steps.end([toEnd(begun)], settlementId);
  await completeSettlement(sql, settlementId);
  await claimChargeReport(sql, id, randomUUID());
  await lookUpCache(sql, { videoId, ...selection, format: 'srt' }, new Date());
  const request = { id, accountId, keyId: randomUUID(), videoId, ...selection, format: 'srt' } as const;
  await waive(sql, request, error);
  await steps.open(queued);
  await queueRead(sql, queued.reservation);
  const counted = { scopes: queued.scopes, day: queued.day };
  await failRead(sql, queued.reservation, { error, counters: counted, settlementId: randomUUID() });
};

/** Housekeeping of a process with four slots. */
const doTurns = async (of: Tables) => {
  const { sql } = of;
  await waitingPriorities(sql);
  expect((await newSteps(of).claim(4))?.rows).toBeGreaterThan(0);
  expect(await settlementQueue.claim(of.pool, 4)).toHaveLength(4);
};

/** Other accounts' videos (cached, failed, under way), jobs (waiting, with changes) and settlements. */
const addOthers = async () => {
  const many = `FROM generate_series(1, ${OTHERS}) AS n`;
  const other = (kind: string) => `'${kind}' || lpad(n::text, 7, '0')`;
  const worker = randomUUID();
  for (const text of [
    `INSERT INTO workers VALUES ('${worker}', now() + interval '1 hour', '{"reads": 8, "jobs": 8}')`,
    `INSERT INTO videos (id, status, fact) SELECT ${other('gone')}, 'no_captions', '{}' ${many}`,
    `INSERT INTO transcripts (id, video_id, language_code, kind, translated, object_key, cached_at, video, strategy)
     SELECT gen_random_uuid(), ${other('kept')}, 'en', 'manual', false, 'cues/x', now(), '{}', 'android' ${many}`,
    `INSERT INTO selections (video_id, language, transcript_id, is_fallback, translation, available)
     SELECT video_id, 'en', id, false, 'not_requested', '{en}' FROM transcripts WHERE video_id LIKE 'kept%'`,
    `INSERT INTO rendered_files SELECT id, 'srt', 'rendered/x', 1, 'x', 1 FROM transcripts WHERE video_id LIKE 'kept%'`,
    `INSERT INTO fetches (id, priority, video_id, language, fallback, worker_id)
     SELECT gen_random_uuid(), 'reads', ${other('open')}, 'en', true, '${worker}' ${many}`,
    `INSERT INTO batches (id, priority, account_id, is_queued, turn)
     SELECT gen_random_uuid(), 'jobs', gen_random_uuid(), true, now() - n * interval '1 millisecond' ${many}`,
    `INSERT INTO turns SELECT 'jobs', account_id, turn, true FROM batches WHERE is_queued ON CONFLICT DO NOTHING`,
    `INSERT INTO batch_versions SELECT id, 1 FROM batches ON CONFLICT DO NOTHING`,
    `INSERT INTO reservations SELECT gen_random_uuid(), id, current_date, '{}' FROM batches`,
    `INSERT INTO operations (id, priority, batch_id, position, account_id, video_id, language, fallback, format, state, price, change_version)
     SELECT gen_random_uuid(), 'jobs', id, 0, account_id, lpad(left(md5(id::text), 10), 11, 'x'), 'en', true, 'srt', 'ready', 1, 1
     FROM batches WHERE is_queued`,
    `INSERT INTO operations (id, priority, position, account_id, key_id, video_id, language, fallback, format, state, price, fetch_id)
     SELECT gen_random_uuid(), 'reads', 0, gen_random_uuid(), gen_random_uuid(), video_id, 'en', true, 'srt', 'fetching', 1, id
     FROM fetches WHERE video_id LIKE 'open%'`,
    `INSERT INTO settlements SELECT gen_random_uuid(), '[]', 0, now() - interval '1 minute' ${many}`,
    `INSERT INTO cold_counts SELECT 'key:' || n, '2026-11-20', 1 ${many}`,
  ])
    await tables.query(text);
};

it('each function reads only its own rows, even if it was planned while the tables were empty', async () => {
  const client = await tables.pool.connect();
  const sql: Sql = createSql(client);
  const query: Tables['query'] = async <Row>(text: string, values: readonly unknown[] = []) =>
    (await client.query(text, [...values])).rows as Row[];
  const ofClient = { ...tables, sql, query, pool: client as unknown as Tables['pool'] };
  const read = async () => {
    const rows = await query<{ name: string; read: number }>(
      `SELECT relname AS name, (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS read
       FROM pg_stat_xact_user_tables WHERE schemaname = 'public'`,
    );
    return new Map(rows.map((row) => [row.name, row.read]));
  };
  try {
    await doJob(ofClient);
    await doReads(ofClient);
    await addOthers();
    await client.query('BEGIN');
    const tooMuch: string[] = [];
    for (const work of [doJob, doReads, doTurns]) {
      const before = await read();
      await work(ofClient);
      for (const [table, count] of await read())
        if (count - (before.get(table) ?? 0) > MAX_READ) tooMuch.push(`${work.name}: ${table} ${count}`);
    }
    expect([...(await read()).keys()]).toEqual(expect.arrayContaining(OTHERS_HAVE));
    expect(tooMuch).toEqual([]);
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
});
