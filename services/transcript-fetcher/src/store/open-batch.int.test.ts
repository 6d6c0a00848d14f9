import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog, createPool, createSql, type Sql } from '@tds/service-kit';
import { createTestDatabase, eventually, type TestDatabase } from '@tds/test-kit';
import { openBatch, type UnknownRow } from './open-batch.ts';

const DAY = '2026-11-20';
const sending = { headers: '{}', slots: 0, leaseMs: 10_000, eventLeaseMs: null };

let database: TestDatabase;
let pool: ReturnType<typeof createPool>;
let sql: Sql;
beforeAll(async () => {
  database = await createTestDatabase('transcript-fetcher');
  const log = createLog({ service: 'transcript-fetcher', level: 'silent' });
  pool = createPool({ url: database.url, applicationName: 'test', maxConnections: 3, log });
  sql = createSql(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

let videos = 0;
const freshRow = (seen = false): UnknownRow => ({
  operationId: randomUUID(),
  videoId: `openVid${String(++videos).padStart(4, '0')}`,
  seen,
});
/** By an account of its own. */
const open = async (rows: readonly UnknownRow[], most = 100) => {
  const accountId = randomUUID();
  const asked = { language: 'en', fallback: true, format: 'srt', price: 1 } as const;
  const admission = { day: DAY, scopes: [{ name: `account:${accountId}`, most }], permits: rows.length };
  const opened = await openBatch(sql, { ...asked, accountId, keyId: null, rows }, admission, sending);
  return { accountId, ...opened };
};
const KNOW = `
  INSERT INTO selections (video_id, language, is_fallback, translation, available)
  VALUES ($1, 'en', false, 'not_requested', '{en}')`;
const rowsOf = async (table: string, { videoId }: UnknownRow): Promise<number> =>
  (await pool.query(`SELECT FROM ${table} WHERE video_id = $1`, [videoId])).rowCount ?? 0;
const counted = async (accountId: string) =>
  (await pool.query('SELECT count FROM cold_counts WHERE scope = $1', [`account:${accountId}`])).rows;

describe('rows of a batch of which nothing was known when they were looked at', () => {
  it('are to be looked at again where the cache knows them by now: they begin nothing and count nowhere', async () => {
    const [known, cold] = [freshRow(), freshRow()];
    await pool.query(KNOW, [known.videoId]);
    const { accountId, result, left } = await open([known, cold, { ...known, operationId: randomUUID() }], 2);
    const again = { openedId: null, isNew: false, refused: null };
    expect(result).toMatchObject([again, { openedId: cold.operationId, isNew: true }, again]);
    expect(left).toBe(1);
    expect(await counted(accountId)).toEqual([{ count: 1 }]);
    expect([await rowsOf('operations', known), await rowsOf('fetches', known)]).toEqual([0, 0]);
  });

  it('are not fetched once more while the end of their fetch is being saved', async () => {
    const row = freshRow();
    await open([row]);
    const saving = await pool.connect();
    await saving.query('BEGIN');
    await saving.query(`UPDATE fetches SET state = 'done', ended_at = now() WHERE video_id = $1`, [
      row.videoId,
    ]);
    await saving.query(KNOW, [row.videoId]);
    const opening = open([{ ...row, operationId: randomUUID() }]);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await eventually(async () => expect((await pool.query(waiting)).rows).toHaveLength(1));
    await saving.query('COMMIT');
    saving.release();
    expect((await opening).result).toMatchObject([{ openedId: null, isNew: false, refused: null }]);
    expect(await rowsOf('fetches', row)).toBe(1);
  });
});

describe('rows of a batch that the cache knew and could not answer', () => {
  it('are fetched', async () => {
    const row = freshRow(true);
    await pool.query(KNOW, [row.videoId]);
    expect((await open([row])).result).toMatchObject([{ openedId: row.operationId, isNew: true }]);
    expect(await rowsOf('fetches', row)).toBe(1);
  });
});
