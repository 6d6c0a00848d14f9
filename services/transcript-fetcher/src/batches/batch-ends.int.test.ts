import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { type ChangeCursor, deliveredRow } from '@tds/contracts';
import { loadVideoId } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import { toRows } from '../test-support/batches.ts';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
let objects: ReturnType<typeof createTestPool>;
beforeAll(async () => {
  fetcher = await startFetcher();
  objects = createTestPool(fetcher.objectsUrl);
});
afterAll(async () => {
  await objects?.end();
  await fetcher?.stop();
});
afterEach(() => {
  fetcher.ledger.setAway(false);
  fetcher.simulator.setMaxConcurrent(Number.POSITIVE_INFINITY);
  fetcher.simulator.faults.clear();
});

let videos = 30_000;
const newBatch = (count = 3) => ({
  batchId: randomUUID(),
  accountId: randomUUID(),
  rows: toRows(Array.from({ length: count }, () => loadVideoId(++videos))),
});
type Batch = ReturnType<typeof newBatch>;

const until = (check: () => void | Promise<void>) => eventually(async () => check());
const rowsIn = (batch: Batch) =>
  fetcher.query<{ state: string; charge: number }>(
    'SELECT state, charge FROM operations WHERE batch_id = $1 ORDER BY position, created_at',
    [batch.batchId],
  );
const counted = async ({ accountId }: Batch) =>
  (
    await fetcher.query<{ count: number }>('SELECT count FROM cold_counts WHERE scope = $1', [
      `key:${accountId}`,
    ])
  )[0]?.count ?? 0;
const booksAre = (accountId: string, expected: Partial<Record<'charged' | 'held' | 'refunded', number>>) =>
  until(() => {
    const states = Object.keys(expected) as (keyof typeof expected)[];
    const books = Object.fromEntries(states.map((state) => [state, fetcher.ledger.count(state, accountId)]));
    expect(books).toEqual(expected);
  });
const delivered = async (batch: Batch) => {
  await fetcher.batches.submitBatch(batch);
  return await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
};
const loseAll = () =>
  objects.query('DELETE FROM object_chunks').then(() => objects.query('DELETE FROM objects'));

describe('a batch paused halfway', () => {
  it('ends and charges begun rows; the others are released and not counted', async () => {
    const batch = newBatch(40);
    const release = fetcher.simulator.hold();
    await fetcher.batches.submitBatch(batch);
    await until(async () =>
      expect((await rowsIn(batch)).filter(({ state }) => state === 'fetching').length).toBeGreaterThan(0),
    );
    await fetcher.batches.pauseBatch(batch.batchId, batch.accountId);
    const begun = (await rowsIn(batch)).filter(({ state }) => state === 'fetching').length;
    expect((await rowsIn(batch)).filter(({ state }) => state === 'ready')).toEqual([]);
    release();
    const changes = await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
    expect(changes.filter(({ state }) => state === 'delivered')).toHaveLength(begun);
    expect(changes.filter(({ state }) => state === 'cancelled')).toHaveLength(40 - begun);
    await booksAre(batch.accountId, { charged: begun, held: 0 });
    expect(await counted(batch)).toBe(begun);
  });

  it('holds nothing if it is paused during the reservation, however late that arrives', async () => {
    const batch = newBatch();
    fetcher.ledger.fail('reserveItems', 'service_unavailable');
    await fetcher.batches.submitBatch(batch).catch(() => null);
    fetcher.ledger.fail('reserveItems', null);
    await fetcher.batches.pauseBatch(batch.batchId, batch.accountId);
    const late = fetcher.ledger.requests.findLast(({ jobId }) => jobId === batch.batchId);
    if (!late) throw new Error('the ledger was asked');
    await until(() => expect(fetcher.ledger.books().find(late.ref)).toMatchObject([{ released: [1, 2, 3] }]));
    expect(fetcher.ledger.books().reserve(late).held).toEqual([]);
    expect((await fetcher.batches.submitBatch(batch)).unopened).toEqual([]);
    expect(await counted(batch)).toBe(0);
  });

  it('is not found by another account', async () => {
    const batch = newBatch(1);
    await delivered(batch);
    await expect(fetcher.batches.pauseBatch(batch.batchId, randomUUID())).rejects.toMatchObject({
      code: 'job_not_found',
    });
  });
});

describe('changes', () => {
  it('are read page by page without a gap while rows end in parallel', async () => {
    const batch = newBatch(60);
    await fetcher.batches.submitBatch(batch);
    const heard = new Map<string, string>();
    let after: ChangeCursor = { version: 0, position: -1 };
    await until(async () => {
      const { rows, upTo } = await fetcher.batches.readChanges(batch.batchId, after);
      for (const row of rows) heard.set(row.operationId, row.state);
      after = upTo;
      expect([...heard.values()].filter((state) => state === 'delivered')).toHaveLength(60);
    });
    const { batch: now, rows } = await fetcher.batches.readChanges(batch.batchId, after);
    expect([rows, now?.version]).toEqual([[], after.version]);
    expect(await fetcher.batches.versions([batch.batchId])).toEqual([
      { batchId: batch.batchId, version: after.version, openRows: 0 },
    ]);
  });

  it('of an unknown batch are empty', async () => {
    const after = { version: 7, position: 3 };
    expect(await fetcher.batches.readChanges(randomUUID(), after)).toEqual({
      batch: null,
      rows: [],
      upTo: after,
    });
  });

  it('give each row its file, language and charge, or its error', async () => {
    const batch = { ...newBatch(), rows: toRows(['manualEn001', 'noCaptions1']) };
    const [first, second] = await delivered(batch);
    if (first?.state !== 'delivered') throw new Error('the row was delivered');
    const { delivery, ...end } = first;
    expect(end).toEqual({
      operationId: batch.rows[0]?.operationId,
      position: 0,
      state: 'delivered',
      cache: 'MISS',
      charge: 1,
    });
    expect(Object.keys(delivery)).toEqual(Object.keys(deliveredRow.shape));
    expect(delivery).toMatchObject({
      ...{
        title: expect.any(String),
        channel_id: expect.stringMatching(/^UC/),
        duration: expect.any(Number),
      },
      ...{ delivered_language: 'en', fallback: false, translation: 'not_requested', caption_kind: 'manual' },
      ...{ words: expect.any(Number), object_key: expect.any(String), crc32: expect.any(Number) },
    });
    expect(second).toMatchObject({ state: 'failed', code: 'no_captions', retryable: false });
  });
});

describe('a waived batch', () => {
  it('costs nothing: charges are refunded, and rows that end later are released', async () => {
    const batch = newBatch(2);
    await delivered(batch);
    await booksAre(batch.accountId, { charged: 2, held: 0 });
    for (const _ of ['once', 'again']) await fetcher.batches.waiveBatch(batch.batchId, batch.accountId);
    await fetcher.rows.makeDue('settlements');
    await booksAre(batch.accountId, { refunded: 2, charged: 0, held: 0 });
    expect((await rowsIn(batch)).map(({ charge }) => charge)).toEqual([0, 0]);
  });
});

describe('a batch lost by the fetcher', () => {
  const forget = async (batch: Batch) => {
    await fetcher.query('DELETE FROM operations WHERE batch_id = $1', [batch.batchId]);
    await fetcher.query('DELETE FROM batches WHERE id = $1', [batch.batchId]);
  };

  it('is fetched again without a second charge, even if its tracks are lost too', async () => {
    const batch = newBatch();
    await delivered(batch);
    await booksAre(batch.accountId, { charged: 3, held: 0 });
    await forget(batch);
    const videoIds = batch.rows.map(({ videoId }) => videoId);
    const tracks = 'SELECT id FROM transcripts WHERE video_id = ANY ($1::bpchar[])';
    // The library may be indexing them.
    await eventually(async () => {
      for (const table of ['selections', 'rendered_files', 'passages'])
        await fetcher.query(`DELETE FROM ${table} WHERE transcript_id IN (${tracks})`, [videoIds]);
      await fetcher.query('DELETE FROM transcripts WHERE video_id = ANY ($1::bpchar[])', [videoIds]);
    });
    await fetcher.batches.submitBatch({ ...batch, isForgotten: true });
    const changes = await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
    expect(changes).toMatchObject(Array(3).fill({ state: 'delivered', charge: 0 }));
    await booksAre(batch.accountId, { charged: 3, held: 0 });
    expect(await counted(batch)).toBe(3);
  });

  it('is charged once for its remaining rows', async () => {
    const batch = newBatch(3);
    await delivered({ ...batch, rows: batch.rows.slice(0, 1) });
    await booksAre(batch.accountId, { charged: 1, held: 0 });
    await forget(batch);
    await fetcher.batches.submitBatch({ ...batch, isForgotten: true });
    await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
    await booksAre(batch.accountId, { charged: 3, held: 0 });
  });
});

describe('files lost by the object store', () => {
  it('are restored for a cached row, fetched again at no charge', async () => {
    const first = newBatch(2);
    await delivered(first);
    const again = { ...newBatch(), rows: toRows(first.rows.map(({ videoId }) => videoId)) };
    await loseAll();
    await fetcher.batches.submitBatch(again);
    const changes = await fetcher.batches.waitForEnds(again.batchId, again.rows);
    expect(changes).toMatchObject(Array(2).fill({ state: 'delivered', charge: 0 }));
    await booksAre(again.accountId, { charged: 0, held: 0 });
    expect(await counted(again)).toBe(0);
  });

  it('are rendered again for another format; lost cues are fetched again and found later', async () => {
    const batch = newBatch(1);
    const [row] = await delivered(batch);
    if (row?.state !== 'delivered') throw new Error('the row was delivered');
    const videoId = String(batch.rows[0]?.videoId);
    const wanted = { transcriptId: row.delivery.transcript_id, videoId, language: 'en', fallback: true };
    const render = () => fetcher.batches.render({ format: 'md', transcripts: [wanted] }, batch.accountId);
    expect((await render()).rows).toMatchObject([{ state: 'rendered', objectKey: expect.any(String) }]);
    await loseAll();
    expect((await render()).rows).toMatchObject([{ state: 'failed', code: 'cache_object_missing' }]);
    await until(async () => expect((await render()).rows).toMatchObject([{ state: 'rendered' }]));
    await booksAre(batch.accountId, { charged: 1, held: 0 });
  });

  it('of an unknown transcript are missing, and are found by its language', async () => {
    const batch = newBatch(1);
    await delivered(batch);
    const videoId = String(batch.rows[0]?.videoId);
    const wanted = { transcriptId: randomUUID(), language: 'en', fallback: true };
    const unknown = { ...wanted, transcriptId: randomUUID(), videoId: loadVideoId(++videos) };
    const { rows } = await fetcher.batches.render({
      format: 'md',
      transcripts: [{ ...wanted, videoId }, unknown],
    });
    expect(rows).toMatchObject([
      { transcriptId: wanted.transcriptId, state: 'rendered' },
      { transcriptId: unknown.transcriptId, state: 'failed' },
    ]);
  });
});
