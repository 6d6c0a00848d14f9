import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { type ChangeCursor, deliveredRow } from '@tds/contracts';
import { loadVideoId } from '@tds/platform-simulator';
import { eventually } from '@tds/test-kit';
import { toRows } from '../test-support/lines.ts';
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
const newLine = (count = 3) => ({
  lineId: randomUUID(),
  accountId: randomUUID(),
  rows: toRows(Array.from({ length: count }, () => loadVideoId(++videos))),
});
type Line = ReturnType<typeof newLine>;

const until = (check: () => void | Promise<void>) => eventually(async () => check());
const rowsIn = (line: Line) =>
  fetcher.query<{ state: string; charge: number }>(
    'SELECT state, charge FROM operations WHERE line_id = $1 ORDER BY position, created_at',
    [line.lineId],
  );
const counted = async ({ accountId }: Line) =>
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
const delivered = async (line: Line) => {
  await fetcher.lines.openLine(line);
  return await fetcher.lines.waitForEnds(line.lineId, line.rows);
};
const loseAll = () =>
  objects.query('DELETE FROM object_chunks').then(() => objects.query('DELETE FROM objects'));

describe('a line halted halfway', () => {
  it('ends and charges begun rows; the others are released and not counted', async () => {
    const line = newLine(40);
    const release = fetcher.simulator.hold();
    await fetcher.lines.openLine(line);
    await until(async () =>
      expect((await rowsIn(line)).filter(({ state }) => state === 'fetching').length).toBeGreaterThan(0),
    );
    await fetcher.lines.haltLine(line.lineId, line.accountId);
    const begun = (await rowsIn(line)).filter(({ state }) => state === 'fetching').length;
    expect((await rowsIn(line)).filter(({ state }) => state === 'ready')).toEqual([]);
    release();
    const changes = await fetcher.lines.waitForEnds(line.lineId, line.rows);
    expect(changes.filter(({ state }) => state === 'delivered')).toHaveLength(begun);
    expect(changes.filter(({ state }) => state === 'cancelled')).toHaveLength(40 - begun);
    await booksAre(line.accountId, { charged: begun, held: 0 });
    expect(await counted(line)).toBe(begun);
  });

  it('holds nothing if it is halted during the reservation, however late that arrives', async () => {
    const line = newLine();
    fetcher.ledger.fail('reserveParts', 'service_unavailable');
    await fetcher.lines.openLine(line).catch(() => null);
    fetcher.ledger.fail('reserveParts', null);
    await fetcher.lines.haltLine(line.lineId, line.accountId);
    const late = fetcher.ledger.requests.findLast(({ jobId }) => jobId === line.lineId);
    if (!late) throw new Error('the ledger was asked');
    await until(() => expect(fetcher.ledger.books().find(late.ref)).toMatchObject([{ released: [1, 2, 3] }]));
    expect(fetcher.ledger.books().reserve(late).held).toEqual([]);
    expect((await fetcher.lines.openLine(line)).unopened).toEqual([]);
    expect(await counted(line)).toBe(0);
  });

  it('is not found by another account', async () => {
    const line = newLine(1);
    await delivered(line);
    await expect(fetcher.lines.haltLine(line.lineId, randomUUID())).rejects.toMatchObject({
      code: 'job_not_found',
    });
  });
});

describe('changes', () => {
  it('are read page by page without a gap while rows end in parallel', async () => {
    const line = newLine(60);
    await fetcher.lines.openLine(line);
    const heard = new Map<string, string>();
    let after: ChangeCursor = { version: 0, position: -1 };
    await until(async () => {
      const { rows, upTo } = await fetcher.lines.readChanges(line.lineId, after);
      for (const row of rows) heard.set(row.operationId, row.state);
      after = upTo;
      expect([...heard.values()].filter((state) => state === 'delivered')).toHaveLength(60);
    });
    const { line: now, rows } = await fetcher.lines.readChanges(line.lineId, after);
    expect([rows, now?.version]).toEqual([[], after.version]);
    expect(await fetcher.lines.versions([line.lineId])).toEqual([
      { lineId: line.lineId, version: after.version, openRows: 0 },
    ]);
  });

  it('of an unknown line are empty', async () => {
    const after = { version: 7, position: 3 };
    expect(await fetcher.lines.readChanges(randomUUID(), after)).toEqual({
      line: null,
      rows: [],
      upTo: after,
    });
  });

  it('give each row its file, language and charge, or its error', async () => {
    const line = { ...newLine(), rows: toRows(['manualEn001', 'noCaptions1']) };
    const [first, second] = await delivered(line);
    if (first?.state !== 'delivered') throw new Error('the row was delivered');
    const { delivery, ...end } = first;
    expect(end).toEqual({
      operationId: line.rows[0]?.operationId,
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

describe('a disowned line', () => {
  it('costs nothing: charges are refunded, and rows that end later are released', async () => {
    const line = newLine(2);
    await delivered(line);
    await booksAre(line.accountId, { charged: 2, held: 0 });
    for (const _ of ['once', 'again']) await fetcher.lines.disownLine(line.lineId, line.accountId);
    await fetcher.query('UPDATE settlements SET due_at = now(), lease_until = NULL');
    await booksAre(line.accountId, { refunded: 2, charged: 0, held: 0 });
    expect((await rowsIn(line)).map(({ charge }) => charge)).toEqual([0, 0]);
  });
});

describe('a line lost by the fetcher', () => {
  const forget = async (line: Line) => {
    await fetcher.query('DELETE FROM operations WHERE line_id = $1', [line.lineId]);
    await fetcher.query('DELETE FROM lines WHERE id = $1', [line.lineId]);
  };

  it('is fetched again without a second charge, even if its tracks are lost too', async () => {
    const line = newLine();
    await delivered(line);
    await booksAre(line.accountId, { charged: 3, held: 0 });
    await forget(line);
    const videoIds = line.rows.map(({ videoId }) => videoId);
    const tracks = 'SELECT id FROM transcripts WHERE video_id = ANY ($1::bpchar[])';
    for (const table of ['selections', 'rendered_files'])
      await fetcher.query(`DELETE FROM ${table} WHERE transcript_id IN (${tracks})`, [videoIds]);
    await fetcher.query('DELETE FROM transcripts WHERE video_id = ANY ($1::bpchar[])', [videoIds]);
    await fetcher.lines.openLine({ ...line, isForgotten: true });
    const changes = await fetcher.lines.waitForEnds(line.lineId, line.rows);
    expect(changes).toMatchObject(Array(3).fill({ state: 'delivered', charge: 0 }));
    await booksAre(line.accountId, { charged: 3, held: 0 });
    expect(await counted(line)).toBe(3);
  });

  it('is charged once for its remaining rows', async () => {
    const line = newLine(3);
    await delivered({ ...line, rows: line.rows.slice(0, 1) });
    await booksAre(line.accountId, { charged: 1, held: 0 });
    await forget(line);
    await fetcher.lines.openLine({ ...line, isForgotten: true });
    await fetcher.lines.waitForEnds(line.lineId, line.rows);
    await booksAre(line.accountId, { charged: 3, held: 0 });
  });
});

describe('files lost by the object store', () => {
  it('are restored for a cached row, fetched again at no charge', async () => {
    const first = newLine(2);
    await delivered(first);
    const again = { ...newLine(), rows: toRows(first.rows.map(({ videoId }) => videoId)) };
    await loseAll();
    await fetcher.lines.openLine(again);
    const changes = await fetcher.lines.waitForEnds(again.lineId, again.rows);
    expect(changes).toMatchObject(Array(2).fill({ state: 'delivered', charge: 0 }));
    await booksAre(again.accountId, { charged: 0, held: 0 });
    expect(await counted(again)).toBe(0);
  });

  it('are rendered again for another format; lost cues are fetched again and found later', async () => {
    const line = newLine(1);
    const [row] = await delivered(line);
    if (row?.state !== 'delivered') throw new Error('the row was delivered');
    const videoId = String(line.rows[0]?.videoId);
    const wanted = { transcriptId: row.delivery.transcript_id, videoId, language: 'en', fallback: true };
    const render = () => fetcher.lines.render({ format: 'md', transcripts: [wanted] }, line.accountId);
    expect((await render()).rows).toMatchObject([{ state: 'rendered', objectKey: expect.any(String) }]);
    await loseAll();
    expect((await render()).rows).toMatchObject([{ state: 'failed', code: 'cache_object_missing' }]);
    await until(async () => expect((await render()).rows).toMatchObject([{ state: 'rendered' }]));
    await booksAre(line.accountId, { charged: 1, held: 0 });
  });

  it('of an unknown transcript are missing, and are found by its language', async () => {
    const line = newLine(1);
    await delivered(line);
    const videoId = String(line.rows[0]?.videoId);
    const wanted = { transcriptId: randomUUID(), language: 'en', fallback: true };
    const unknown = { ...wanted, transcriptId: randomUUID(), videoId: loadVideoId(++videos) };
    const { rows } = await fetcher.lines.render({
      format: 'md',
      transcripts: [{ ...wanted, videoId }, unknown],
    });
    expect(rows).toMatchObject([
      { transcriptId: wanted.transcriptId, state: 'rendered' },
      { transcriptId: unknown.transcriptId, state: 'failed' },
    ]);
  });
});
