import { randomUUID } from 'node:crypto';
import { createSql } from '@tds/base';
import { createTestPool } from '@tds/base/testing';
import { createTestDatabase, dueRows } from '@tds/test-kit';
import { createDatabase } from '../store/database.ts';

type Columns = Readonly<Record<string, unknown>>;

let videos = 0;
/** An id that no table contains. */
export const freshVideo = (): string => `tableV${String(++videos).padStart(5, '0')}`;

/** The service's tables without a running service. */
export async function openTables() {
  const database = await createTestDatabase('transcript-fetcher');
  const pool = createTestPool(database.url, 8);
  const db = createDatabase(pool);
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await pool.query(text, [...values])).rows as Row[];
  const add = async (table: string, row: Columns): Promise<void> => {
    const names = Object.keys(row);
    const slots = names.map((_, at) => `$${at + 1}`);
    await pool.query(`INSERT INTO ${table} (${names}) VALUES (${slots})`, Object.values(row));
  };
  return {
    pool,
    db,
    sql: createSql(pool),
    query,
    rows: dueRows('transcript-fetcher', query),
    add: createAdders(add),
    /** As autovacuum does, which only the owner may. */
    async analyze() {
      const owner = createTestPool(database.ownerUrl, 1);
      await owner.query('ANALYZE');
      await owner.end();
    },
    async stop() {
      await db.$disconnect();
      await pool.end();
      await database.drop();
    },
  };
}

export type Tables = Awaited<ReturnType<typeof openTables>>;

const EMPTY_VIDEO = {
  title: null,
  channel_id: null,
  channel_title: null,
  published_at: null,
  duration: null,
};
const track = { language: 'en', fallback: true };
const END_STATES: readonly unknown[] = ['delivered', 'failed', 'cancelled'];

/** Inserts rows with defaults. Returns the id, except for videos and selections. */
const createAdders = (add: (table: string, row: Columns) => Promise<void>) => {
  const addWithId = async (table: string, row: Columns): Promise<string> => {
    const id = randomUUID();
    await add(table, { id, ...row });
    return String(row.id ?? id);
  };
  return {
    /** A read. */
    operation: ({ state = 'opened', ...columns }: Columns = {}) =>
      addWithId('operations', {
        priority: 'reads',
        position: 0,
        account_id: randomUUID(),
        key_id: randomUUID(),
        video_id: freshVideo(),
        ...track,
        format: 'srt',
        state,
        price: 1,
        error: state === 'failed' ? {} : null,
        ended_at: END_STATES.includes(state) ? new Date() : null,
        ...columns,
      }),
    fetch: (columns: Columns = {}) =>
      addWithId('fetches', {
        priority: 'reads',
        video_id: freshVideo(),
        ...track,
        worker_id: randomUUID(),
        ...columns,
      }),
    transcript: (columns: Columns = {}) =>
      addWithId('transcripts', {
        video_id: freshVideo(),
        language_code: 'en',
        kind: 'manual',
        translated: false,
        object_key: 'cues/x',
        words: 1,
        cached_at: new Date(),
        video: EMPTY_VIDEO,
        strategy: 'android',
        ...columns,
      }),
    selection: (columns: Columns) =>
      add('selections', {
        language: 'en',
        is_fallback: false,
        translation: 'not_requested',
        available: ['en'],
        ...columns,
      }),
    video: (columns: Columns) => add('videos', { status: 'fetched', ...columns }),
    file: (columns: Columns) =>
      add('rendered_files', {
        format: 'srt',
        object_key: 'rendered/x/srt',
        bytes: 1,
        sha256: 'x',
        crc32: 1,
        ...columns,
      }),
  };
};
