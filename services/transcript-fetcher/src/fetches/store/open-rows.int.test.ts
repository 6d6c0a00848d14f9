import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { pauseBatch } from '../../batches/store/batches.ts';
import { strictError } from '../../domain/transcript.ts';
import { freshVideos, newSteps, type Steps, toOpenRequest, toRows } from '../../test-support/rows.ts';
import { freshVideo, openTables, type Tables } from '../../test-support/tables.ts';

let tables: Tables;
let steps: Steps;
beforeAll(async () => {
  tables = await openTables();
  steps = newSteps(tables);
});
afterAll(() => tables?.stop());

const idsOf = ({ rows }: { rows: readonly { id: string }[] }) => rows.map(({ id }) => id);
/** A video with a cached track in the language. */
const cachedVideo = async (): Promise<string> => {
  const video_id = freshVideo();
  await tables.add.selection({ video_id, transcript_id: await tables.add.transcript({ video_id }) });
  return video_id;
};

describe('known rows of a job', () => {
  it('end at once, at no charge and uncounted', async () => {
    const videoIds = [await cachedVideo(), freshVideo(), await cachedVideo()];
    const openRequest = toOpenRequest({ rows: toRows(videoIds) });
    const opened = await steps.open(openRequest);
    expect(opened.map(({ state }) => state)).toEqual(['delivered', 'ready', 'delivered']);
    expect(opened.map(({ item }) => item)).toEqual([null, 2, null]);
    expect(await steps.counts(openRequest)).toEqual([1]);
    const kept = await steps.find(idsOf(openRequest));
    expect(kept.map(({ charge }) => charge)).toEqual([0, 0, 0]);
    const version = await steps.version(openRequest);
    expect(kept.map(({ changeVersion }) => changeVersion)).toEqual([version, 0, version]);
  });

  it('fail at once with a fact about the video and the remaining wait', async () => {
    const [gone, live] = freshVideos(2);
    const fact = serviceError('video_unavailable').data;
    const wait = serviceError('transcript_not_ready', { retryAfterSeconds: 9_999 }).data;
    await tables.add.video({ id: gone, status: 'unavailable', fact });
    await tables.query(
      `INSERT INTO videos (id, fact, fact_expires_at, fact_retry_at)
       VALUES ($1, $2, now() + interval '2 hours', now() + interval '1 hour')`,
      [live, wait],
    );
    const openRequest = toOpenRequest({ rows: toRows([String(gone), String(live)]) });
    await steps.open(openRequest);
    const [first, second] = await steps.find(idsOf(openRequest));
    expect(first).toMatchObject({ state: 'failed', error: fact });
    expect(second).toMatchObject({ state: 'failed', error: { code: 'transcript_not_ready' } });
    expect(second?.error?.retryAfterSeconds).toBeGreaterThan(3_500);
    // Columns keep milliseconds, rounded.
    expect(second?.error?.retryAfterSeconds).toBeLessThanOrEqual(3_601);
  });

  it('fail at once with the available languages if their strict language is missing', async () => {
    const [without, refused] = freshVideos(2);
    const common = { transcript_id: null, is_fallback: true };
    const missing = { translation: 'unavailable' as const, available: ['de', 'fr'] };
    const expiresAt = new Date(Date.now() + 3_600_000);
    await tables.add.selection({ ...common, ...missing, video_id: without, expires_at: expiresAt });
    await tables.add.selection({
      ...common,
      video_id: refused,
      translation: 'refused',
      expires_at: new Date(Date.now() + 60_000),
    });
    const openRequest = toOpenRequest({ fallback: false, rows: toRows([String(without), String(refused)]) });
    await steps.open(openRequest);
    const [first, second] = await steps.find(idsOf(openRequest));
    // As a read says it, with the time until which it is believed.
    expect(first?.error).toEqual(strictError({ ...missing, expiresAt }, new Date()).data);
    expect(second?.error).toMatchObject({ code: 'translation_refused' });
    expect(second?.error?.retryAfterSeconds).toBeGreaterThan(0);
  });

  it('are opened like cold ones if the fact has expired', async () => {
    const [gone] = freshVideos(1);
    await tables.query(
      `INSERT INTO videos (id, fact, fact_expires_at) VALUES ($1, '{"code": "no_captions"}', now() - interval '1 second')`,
      [gone],
    );
    const openRequest = toOpenRequest({ rows: toRows([String(gone)]) });
    expect(await steps.open(openRequest)).toMatchObject([{ state: 'ready', item: 1 }]);
  });

  it('of price 0, paid before or lost, need no credit and are not counted', async () => {
    const [paid, cold] = [freshVideo(), freshVideo()];
    const lost = await cachedVideo();
    const [one, two, three] = toRows([paid, lost, cold]);
    if (!one || !two || !three) throw new Error('three rows');
    const openRequest = toOpenRequest({ rows: [{ ...one, price: 0 }, { ...two, isLost: true }, three] });
    const opened = await steps.open(openRequest);
    expect(opened.map(({ state, reservation, item }) => [state, reservation, item])).toEqual([
      ['ready', null, null],
      ['ready', null, null],
      ['ready', openRequest.reservation, 3],
    ]);
    expect((await steps.find(idsOf(openRequest))).map(({ price }) => price)).toEqual([0, 0, 1]);
    expect(await steps.counts(openRequest)).toEqual([1]);
  });
});

describe('cold rows', () => {
  it('are opened in order as far as every scope has room, and counted in all scopes', async () => {
    const scopes = [
      { name: `key:${randomUUID()}`, limit: 10 },
      { name: `pool:${randomUUID()}`, limit: 2 },
    ];
    const openRequest = toOpenRequest({ scopes, rows: toRows(freshVideos(4)).toReversed() });
    const opened = await steps.open(openRequest);
    expect(opened.map(({ state }) => state)).toEqual(['ready', 'ready', 'refused', 'refused']);
    expect(opened.map(({ full }) => full)).toEqual(Array(4).fill(scopes[1]?.name));
    expect(opened.map(({ rowId }) => rowId)).toEqual(idsOf(openRequest).toReversed());
    expect(await steps.counts(openRequest)).toEqual([2, 2]);
  });

  it('of many concurrent jobs fill a shared scope and never exceed it', async () => {
    const pool = { name: `pool:${randomUUID()}`, limit: 7 };
    const openings = Array.from({ length: 8 }, () =>
      toOpenRequest({
        scopes: [{ name: `key:${randomUUID()}`, limit: 100 }, pool],
        rows: toRows(freshVideos(2)),
      }),
    );
    const opened = (await Promise.all(openings.map(steps.open))).flat();
    expect(opened.filter(({ state }) => state === 'ready')).toHaveLength(7);
    expect(await steps.counts({ scopes: [pool] })).toEqual([7]);
  });

  it('of a full scope leave no reservation and no operation', async () => {
    const openRequest = toOpenRequest({ scopes: [{ name: `key:${randomUUID()}`, limit: 0 }] });
    const opened = await steps.open(openRequest);
    expect(opened.map(({ state, operationId, reservation }) => [state, operationId, reservation])).toEqual(
      Array(3).fill(['refused', null, null]),
    );
    expect(await steps.find(idsOf(openRequest))).toEqual([]);
    expect(await tables.query('SELECT FROM reservations WHERE batch_id = $1', [openRequest.batchId])).toEqual(
      [],
    );
  });

  it('have their position as their item, whichever of them are cold', async () => {
    const [, second, , fourth] = toRows(freshVideos(4));
    if (!second || !fourth) throw new Error('four rows');
    const opened = await steps.open(toOpenRequest({ rows: [second, fourth] }));
    expect(opened.map(({ item }) => item)).toEqual([2, 4]);
  });
});

describe('a request to open rows', () => {
  it('that is unfinished is returned with its reservation to the next caller, whose own rows are not opened', async () => {
    const openRequest = toOpenRequest();
    await steps.open(openRequest);
    const [more] = toRows(freshVideos(1), { position: 9 });
    if (!more) throw new Error('one row');
    const again = { ...openRequest, reservation: randomUUID(), rows: [...openRequest.rows, more] };
    const opened = await steps.open(again);
    expect(opened.map(({ state, reservation, full }) => [state, reservation, full])).toEqual([
      ...Array(3).fill(['ready', openRequest.reservation, 'opening']),
      ['refused', null, 'opening'],
    ]);
    expect(await steps.counts(openRequest)).toEqual([3]);
  });

  it('of existing rows returns their state and opens only the others', async () => {
    const openRequest = await steps.readyBatch();
    const [more] = toRows(freshVideos(1), { position: 3 });
    if (!more) throw new Error('one row');
    const again = { ...openRequest, reservation: randomUUID(), rows: [...openRequest.rows, more] };
    const opened = await steps.open(again);
    expect(opened.map(({ state, reservation }) => [state, reservation])).toEqual([
      ...Array(3).fill(['ready', null]),
      ['ready', again.reservation],
    ]);
    expect(await steps.counts(openRequest)).toEqual([4]);
  });

  it('of a stopped batch opens nothing, even if the stop came first', async () => {
    const openRequest = toOpenRequest();
    const { batchId, accountId } = openRequest;
    await pauseBatch(tables.sql, { batchId: String(batchId), accountId }, 'stopped');
    const opened = await steps.open(openRequest);
    expect(opened.map(({ state, full }) => [state, full])).toEqual(Array(3).fill(['refused', 'stopped']));
    expect(await steps.counts(openRequest)).toEqual([0]);
  });

  it('of a held batch opens it again', async () => {
    const openRequest = toOpenRequest();
    const { batchId, accountId } = openRequest;
    await pauseBatch(tables.sql, { batchId: String(batchId), accountId }, 'held');
    expect((await steps.open(openRequest)).map(({ state }) => state)).toEqual(Array(3).fill('ready'));
    expect(await tables.query('SELECT state FROM batches WHERE id = $1', [batchId])).toEqual([
      { state: 'open' },
    ]);
  });

  it('of one batch by two concurrent callers has one reservation, and each row once', async () => {
    const openRequest = toOpenRequest();
    const reservations = [openRequest.reservation, randomUUID()];
    const answers = await Promise.all(
      reservations.map((reservation) => steps.open({ ...openRequest, reservation })),
    );
    const asked = new Set(answers.flat().map(({ reservation }) => reservation));
    expect(asked.size).toBe(1);
    expect(await steps.counts(openRequest)).toEqual([3]);
  });
});
