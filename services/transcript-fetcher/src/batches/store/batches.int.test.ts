import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OpenRequest } from '../../fetches/store/rows.ts';
import { freshVideos, newSteps, type Steps, toEnd, toOpenRequest, toRows } from '../../test-support/rows.ts';
import { openTables, type Tables } from '../../test-support/tables.ts';
import { findBatch, pauseBatch, readChanges, reopenRows, waiveBatch } from './batches.ts';

let tables: Tables;
let steps: Steps;
beforeAll(async () => {
  tables = await openTables();
  steps = newSteps(tables);
});
afterAll(() => tables?.stop());
beforeEach(() => steps.endWaitingRows());

const idsOf = ({ rows }: Pick<OpenRequest, 'rows'>) => rows.map(({ id }) => id);
const ownedOf = ({ batchId, accountId }: OpenRequest) => ({ batchId: String(batchId), accountId });
const pause = (batch: OpenRequest, state: 'held' | 'stopped' = 'stopped', accountId = batch.accountId) =>
  pauseBatch(tables.sql, { ...ownedOf(batch), accountId }, state);
const stateOf = async ({ batchId }: OpenRequest) => (await findBatch(tables.sql, String(batchId)))?.state;
const readPage = (batch: OpenRequest, after = { version: 0, position: -1 }, most = 500) =>
  readChanges(tables.sql, String(batch.batchId), after, most);

describe('holding a reservation', () => {
  it('puts held rows in the queue; the others are deleted and not counted', async () => {
    const openRequest = toOpenRequest();
    await steps.open(openRequest);
    expect(await steps.claim(8)).toBeNull();
    expect(await steps.hold(openRequest, [1, 3])).toEqual([openRequest.rows[1]?.id]);
    expect(await steps.counts(openRequest)).toEqual([2]);
    expect(await steps.find(idsOf(openRequest))).toHaveLength(2);
    expect((await steps.claim(8))?.rows).toBe(2);
  });

  it('happens once: a repeat or another reservation changes nothing', async () => {
    const openRequest = toOpenRequest();
    await steps.open(openRequest);
    expect(await steps.hold({ ...openRequest, reservation: randomUUID() }, [])).toEqual([]);
    expect(await steps.hold(openRequest)).toEqual([]);
    expect(await steps.hold(openRequest, [])).toEqual([]);
    expect(await steps.states(idsOf(openRequest))).toEqual(['ready', 'ready', 'ready']);
    expect(await steps.counts(openRequest)).toEqual([3]);
  });

  it('returns the same to two concurrent callers, whichever deleted the others', async () => {
    const openRequest = toOpenRequest();
    await steps.open(openRequest);
    const [first, second] = await Promise.all([steps.hold(openRequest, [2]), steps.hold(openRequest, [2])]);
    const gone = [openRequest.rows[0]?.id, openRequest.rows[2]?.id].toSorted();
    expect([first.toSorted(), second.toSorted()]).toEqual([gone, gone]);
    expect(await steps.counts(openRequest)).toEqual([1]);
  });

  it('restores nothing if the batch was stopped during the reservation', async () => {
    const openRequest = toOpenRequest();
    await steps.open(openRequest);
    const { settlement } = await pause(openRequest);
    expect(settlement.reservations).toMatchObject([
      { ref: openRequest.reservation, charge: [], release: [1, 2, 3] },
    ]);
    expect(await steps.hold(openRequest)).toEqual([]);
    expect(await steps.claim(8)).toBeNull();
    expect(await steps.counts(openRequest)).toEqual([0]);
  });
});

describe('a paused batch', () => {
  it('ends rows that have not begun, releases their credits, at one version; begun rows continue and count', async () => {
    const batch = await steps.readyBatch();
    const claim = await steps.claim(1);
    expect(claim?.rows).toBe(1);
    const { version, settlement } = await pause(batch);
    expect(await steps.states(idsOf(batch))).toEqual(['fetching', 'cancelled', 'cancelled']);
    expect(settlement.reservations).toEqual([
      {
        ref: batch.reservation,
        priority: 'jobs',
        batch_id: batch.batchId,
        account_id: batch.accountId,
        key_id: null,
        charge: [],
        release: [2, 3],
      },
    ]);
    expect(await steps.settlement(settlement.id)).toEqual(settlement.reservations);
    expect(await steps.counts(batch)).toEqual([1]);
    const changes = await readPage(batch);
    expect(changes.filter((row) => row.version === version).map(({ position }) => position)).toEqual([1, 2]);
    const [begun] = claim?.begun ?? [];
    if (!begun) throw new Error('a row had its turn');
    const { ended } = await steps.end([toEnd(begun)]);
    expect(ended).toMatchObject([{ id: batch.rows[0]?.id, charge: 1 }]);
  });

  it('changes nothing on a repeat, and returns the same', async () => {
    const batch = await steps.readyBatch();
    const first = await pause(batch);
    const second = await pause(batch);
    expect(second.settlement.reservations).toEqual([]);
    expect(second.version).toBeGreaterThan(Number(first.version));
    expect(await steps.counts(batch)).toEqual([0]);
  });

  it('has two attempts at one row that ended together on one page of changes', async () => {
    const batch = await steps.readyBatch({ rows: toRows(freshVideos(1)) });
    const again = { ...batch, reservation: randomUUID(), rows: toRows(freshVideos(1)) };
    await steps.open(again);
    await steps.hold(again);
    await pause(batch);
    const changes = await readPage(batch, { version: 0, position: -1 }, 1);
    expect(changes.map(({ operationId }) => operationId).toSorted()).toEqual(
      [...idsOf(batch), ...idsOf(again)].toSorted(),
    );
  });

  it('stays stopped for ever, even before its first row; held, it may be opened again', async () => {
    const batch = toOpenRequest();
    expect((await pause(batch)).version).toBeGreaterThan(0);
    await pause(batch, 'held');
    expect(await stateOf(batch)).toBe('stopped');
    await steps.open(batch);
    expect(await stateOf(batch)).toBe('stopped');
    const held = await steps.readyBatch();
    await pause(held, 'held');
    expect(await stateOf(held)).toBe('held');
    await steps.open({ ...held, reservation: randomUUID(), rows: toRows(freshVideos(1), { position: 7 }) });
    expect(await stateOf(held)).toBe('open');
    await pause(held);
  });

  it('is not changed by another account, which gets no version', async () => {
    const batch = await steps.readyBatch();
    expect(await pause(batch, 'stopped', randomUUID())).toMatchObject({
      version: null,
      settlement: { reservations: [] },
    });
    expect(await steps.states(idsOf(batch))).toEqual(['ready', 'ready', 'ready']);
    expect(await stateOf(batch)).toBe('open');
    await pause(batch);
  });

  it('releases each reservation under its own ref, and uncounts each on its own day', async () => {
    const batch = await steps.readyBatch();
    const next = {
      ...batch,
      reservation: randomUUID(),
      rows: toRows(freshVideos(2)).map((row) => ({ ...row, position: row.position + 10 })),
      scopes: [{ name: `key:${randomUUID()}`, limit: 9 }],
    };
    await steps.open(next);
    await steps.hold(next);
    const { settlement } = await pause(batch);
    const byRef = new Map(settlement.reservations.map(({ ref, release: items }) => [ref, items]));
    expect([byRef.get(batch.reservation), byRef.get(next.reservation)]).toEqual([
      [1, 2, 3],
      [11, 12],
    ]);
    expect([await steps.counts(batch), await steps.counts(next)]).toEqual([[0], [0]]);
  });
});

describe('a waived batch', () => {
  it('releases its charges once; rows that end later cost nothing', async () => {
    const batch = await steps.readyBatch();
    const { begun = [] } = (await steps.claim(2)) ?? {};
    const [first, second] = batch.rows.map(({ videoId }) => begun.find((each) => each.videoId === videoId));
    if (!first || !second) throw new Error('two rows had their turn');
    await steps.end([toEnd(first)]);
    for (const _ of ['once', 'again']) {
      await pause(batch);
      await waiveBatch(tables.sql, ownedOf(batch));
    }
    const refunds = await tables.query<{ reservation: object }>(
      `SELECT jsonb_array_elements(reservations) AS reservation FROM settlements WHERE reservations @> $1::jsonb AND NOT reservations @> $2::jsonb`,
      [JSON.stringify([{ ref: batch.reservation, release: [1] }]), JSON.stringify([{ charge: [1] }])],
    );
    expect(refunds).toHaveLength(1);
    const { ended, settlement } = await steps.end([toEnd(second)]);
    expect(ended).toMatchObject([{ charge: 0 }]);
    expect(settlement).toMatchObject([{ charge: [], release: [2] }]);
    expect((await steps.find(idsOf(batch))).map(({ charge }) => charge)).toEqual([0, 0, 0]);
  });

  it('is not changed by another account', async () => {
    const batch = await steps.readyBatch({ rows: toRows(freshVideos(1)) });
    const [begun] = (await steps.claim(1))?.begun ?? [];
    if (!begun) throw new Error('a row had its turn');
    await steps.end([toEnd(begun)]);
    await waiveBatch(tables.sql, { ...ownedOf(batch), accountId: randomUUID() });
    expect(await steps.find(idsOf(batch))).toMatchObject([{ charge: 1 }]);
  });
});

describe('a row with lost cues', () => {
  it('is fetched again at no charge on its turn, unless it was charged or its batch is not open', async () => {
    const batch = await steps.readyBatch({ rows: toRows(freshVideos(2)) });
    const { begun = [] } = (await steps.claim(2)) ?? {};
    const [first, second] = batch.rows.map(({ videoId }) => begun.find((each) => each.videoId === videoId));
    if (!first || !second) throw new Error('two rows had their turn');
    const cachedId = await tables.add.transcript({ video_id: second.videoId });
    await steps.end([toEnd(first), toEnd(second, { track: null, file: null, selection: null, cachedId })]);
    await reopenRows(tables.sql, String(batch.batchId), idsOf(batch));
    expect(await steps.states(idsOf(batch))).toEqual(['delivered', 'ready']);
    expect((await steps.claim(2))?.begun).toMatchObject([{ videoId: second.videoId }]);
    expect(await steps.find(idsOf(batch))).toMatchObject([{ charge: 1 }, { price: 0, state: 'fetching' }]);
  });

  it('that was cached meanwhile has neither credit nor count to release', async () => {
    const batch = await steps.readyBatch({ rows: toRows(freshVideos(1)) });
    const [begun] = (await steps.claim(1))?.begun ?? [];
    if (!begun) throw new Error('a row had its turn');
    const cachedId = await tables.add.transcript({ video_id: begun.videoId });
    await steps.end([toEnd(begun, { track: null, file: null, selection: null, cachedId })]);
    await reopenRows(tables.sql, String(batch.batchId), idsOf(batch));
    expect((await pause(batch)).settlement.reservations).toEqual([]);
    expect(await steps.counts(batch)).toEqual([1]);
  });

  it('stays as it was if its batch was stopped', async () => {
    const video_id = String(freshVideos(1)[0]);
    await tables.add.selection({ video_id, transcript_id: await tables.add.transcript({ video_id }) });
    const batch = toOpenRequest({ rows: toRows([video_id]) });
    await steps.open(batch);
    await pause(batch);
    await reopenRows(tables.sql, String(batch.batchId), idsOf(batch));
    expect(await steps.states(idsOf(batch))).toEqual(['delivered']);
  });
});
