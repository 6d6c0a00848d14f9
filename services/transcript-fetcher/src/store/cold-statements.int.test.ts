import { randomUUID } from 'node:crypto';
import { type Sql, sqlState } from '@tds/service-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deliveryFor } from '../test-support/deliveries.ts';
import { freshVideo, openTables, type Tables } from '../test-support/tables.ts';
import { deliverTrack, startFetch } from './fetches.ts';
import { openOperation, openUnlessKnown } from './open-operation.ts';
import { claimChargeReport, endSettlement } from './operations.ts';

const LEASE_LOST = 'LL001';
const now = new Date('2026-11-20T12:00:00.000Z');
const sending = { headers: '{}', slots: 1, leaseMs: 10_000, eventLeaseMs: null };

let tables: Tables;
let pool: Tables['pool'];
let sql: Sql;
beforeAll(async () => {
  tables = await openTables();
  ({ pool, sql } = tables);
});
afterAll(() => tables?.stop());

const reserved = async (videoId: string, state = 'reserving'): Promise<string> => {
  const id = randomUUID();
  await pool.query(
    `INSERT INTO operations (id, account_id, key_id, video_id, language, fallback, format, state, error)
     VALUES ($1, gen_random_uuid(), gen_random_uuid(), $2, 'en', true, 'srt', $3, CASE $3 WHEN 'failed' THEN '{}'::jsonb END)`,
    [id, videoId, state],
  );
  return id;
};
const started = async (videoId: string) => {
  const operationId = await reserved(videoId);
  const [task] = (await startFetch(sql, operationId, sending)).preLeased ?? [];
  if (!task) throw new Error('no fetch was begun');
  const { fetchId } = task.payload;
  const fetch = { id: fetchId, videoId, language: 'en', fallback: true };
  return { operationId, task, fetch, lease: { id: task.id, epoch: '1' } };
};
type Started = Awaited<ReturnType<typeof started>>;
const deliveryOf = ({ fetch }: Started, reportedTo: string | null = null) => ({
  ...deliveryFor(fetch, now),
  reportedTo,
});
const deliver = (begun: Started, reportedTo: string | null = null) =>
  deliverTrack(sql, deliveryOf(begun, reportedTo), begun.lease, sending);
const count = async (table: string, videoId: string): Promise<number> =>
  (await pool.query(`SELECT FROM ${table} WHERE video_id = $1`, [videoId])).rowCount ?? 0;

describe('opening an operation', () => {
  const opening = { day: '2026-11-20', scopes: [], hasPermits: true };
  const open = (videoId: string, how = openOperation as typeof openUnlessKnown) => {
    const [id, accountId, keyId] = [randomUUID(), randomUUID(), randomUUID()];
    const asked = { videoId, language: 'en', fallback: true, format: 'srt', price: 1 } as const;
    return how(sql, { id, accountId, keyId, ...asked }, opening);
  };

  it('happens at once for a video of which nothing is known', async () => {
    expect(await open(freshVideo(), openUnlessKnown)).toMatchObject({ kind: 'opened' });
  });

  it.each([
    ['a selection', `INSERT INTO selections VALUES ($1, 'en', NULL, true, 'unavailable', '{}')`],
    [
      'a track in its language',
      `INSERT INTO transcripts VALUES (gen_random_uuid(), $1, 'en', 'asr', false, 'cues/x', 1, now())`,
    ],
    ['a fact', `INSERT INTO videos (id, fact) VALUES ($1, '{}')`],
  ])('does not where %s is known, unless the cache was found to have no answer', async (_, insert) => {
    const videoId = freshVideo();
    await pool.query(insert, [videoId]);
    expect(await open(videoId, openUnlessKnown)).toBeNull();
    expect(await count('operations', videoId)).toBe(0);
    expect(await open(videoId)).toMatchObject({ kind: 'opened' });
  });
});

describe('starting a fetch', () => {
  it('gives the first operation a task that is pre-leased, and lets the second one join without one', async () => {
    const videoId = freshVideo();
    const { task, fetch } = await started(videoId);
    expect(task.payload.wanted).toEqual({ videoId, language: 'en', fallback: true, format: 'srt' });
    expect(await startFetch(sql, await reserved(videoId), sending)).toEqual({});
    const { rows } = await pool.query('SELECT DISTINCT fetch_id FROM operations WHERE video_id = $1', [
      videoId,
    ]);
    expect(rows).toEqual([{ fetch_id: fetch.id }]);
    const lease = `SELECT attempts, lease_epoch::int, lease_until > now() AS held FROM messaging.tasks WHERE id = $1`;
    expect((await pool.query(lease, [task.id])).rows).toEqual([{ attempts: 1, lease_epoch: 1, held: true }]);
  });

  it('leaves no open fetch behind for an operation that has been ended meanwhile', async () => {
    const videoId = freshVideo();
    expect(await startFetch(sql, await reserved(videoId, 'failed'), sending)).toEqual({});
    expect(await count('fetches', videoId)).toBe(0);
  });
});

describe('delivering a fetch', () => {
  it('ends everybody who waits, each with a task that settles it, as many pre-leased as there are slots', async () => {
    const videoId = freshVideo();
    const begun = await started(videoId);
    const other = await reserved(videoId);
    await startFetch(sql, other, sending);
    const { result, preLeased, left } = await deliver(begun);
    expect(result.operations.map(({ id }) => id).toSorted()).toEqual([begun.operationId, other].toSorted());
    expect({ preLeased, left, ...result }).toMatchObject({
      isFirst: true,
      left: 1,
      preLeased: [{ payload: { charge: 1 } }],
    });
    expect(await count('selections', videoId)).toBe(1);
  });

  it('tells the charge to the one request that is named, and leaves it open for the others', async () => {
    const videoId = freshVideo();
    const begun = await started(videoId);
    const other = await reserved(videoId);
    await startFetch(sql, other, sending);
    const { operationId: named } = begun;
    await deliver(begun, named);
    expect(await claimChargeReport(sql, named, randomUUID())).toBe(false);
    expect(await claimChargeReport(sql, named, named)).toBe(true);
    expect(await claimChargeReport(sql, other, randomUUID())).toBe(true);
  });

  it('changes nothing at all where the lease went to another worker', async () => {
    const videoId = freshVideo();
    const begun = await started(videoId);
    const late = deliver({ ...begun, lease: { ...begun.lease, epoch: '2' } });
    expect(sqlState(await late.catch((error: unknown) => error))).toBe(LEASE_LOST);
    expect(await count('transcripts', videoId)).toBe(0);
    const { rows } = await pool.query('SELECT state FROM operations WHERE video_id = $1', [videoId]);
    expect(rows).toEqual([{ state: 'fetching' }]);
  });

  it('keeps the first copy of a track, and no file of a second one', async () => {
    const videoId = freshVideo();
    await deliver(await started(videoId));
    const kept = await pool.query('SELECT id FROM transcripts WHERE video_id = $1', [videoId]);
    const { result } = await deliver(await started(videoId));
    expect(result.isFirst).toBe(false);
    const after = await pool.query('SELECT id FROM transcripts WHERE video_id = $1', [videoId]);
    expect(after.rows).toEqual(kept.rows);
    const files = await pool.query(
      'SELECT transcript_id AS id FROM rendered_files WHERE transcript_id = $1',
      [kept.rows[0].id],
    );
    expect(files.rows).toEqual(kept.rows);
  });

  it('charges nothing to an account that has paid for the track before, under another language', async () => {
    const videoId = freshVideo();
    const paid = await started(videoId);
    await deliver(paid);
    const again = await started(videoId);
    await pool.query(
      'UPDATE operations SET account_id = (SELECT account_id FROM operations WHERE id = $1) WHERE id = $2',
      [paid.operationId, again.operationId],
    );
    expect((await deliver(again)).result.operations).toMatchObject([{ id: again.operationId, charge: 0 }]);
  });

  it('leads to a track that was cached before for nothing, and tells nobody that one was fetched', async () => {
    const videoId = freshVideo();
    const cachedId = await tables.add.transcript({ video_id: videoId });
    const begun = await started(videoId);
    const delivery = { ...deliveryOf(begun), transcript: null, file: null, cachedId };
    const { result, preLeased, events } = await deliverTrack(sql, delivery, begun.lease, sending);
    expect(result).toEqual({
      isFirst: false,
      operations: [{ id: begun.operationId, format: 'srt', transcriptId: cachedId, charge: 0 }],
    });
    expect([preLeased?.length, events]).toEqual([1, []]);
    expect(
      (await pool.query('SELECT transcript_id FROM selections WHERE video_id = $1', [videoId])).rows,
    ).toEqual([{ transcript_id: cachedId }]);
  });

  it('has nothing to settle for a row of a batch, which is told its charge, or for what brings back a lost one', async () => {
    const videoId = freshVideo();
    const begun = await started(videoId);
    const waiting = { video_id: videoId, fetch_id: begun.fetch.id, state: 'fetching' };
    const batch = await tables.add.operation({ ...waiting, settlement: 'by_caller' });
    const restoring = await tables.add.operation({ ...waiting, settlement: 'released', price: 0 });
    const { result, preLeased, left } = await deliver(begun);
    expect(new Map(result.operations.map(({ id, charge }) => [id, charge]))).toEqual(
      new Map([
        [begun.operationId, 1],
        [batch, 1],
        [restoring, 0],
      ]),
    );
    expect([preLeased?.length, left]).toEqual([1, 0]);
    expect(await claimChargeReport(sql, batch, randomUUID())).toBe(false);
  });

  it('answers nobody where somebody else has ended the fetch, and keeps what it has brought', async () => {
    const videoId = freshVideo();
    const begun = await started(videoId);
    await pool.query(`UPDATE fetches SET state = 'failed', ended_at = now() WHERE id = $1`, [begun.fetch.id]);
    expect(await deliver(begun)).toMatchObject({
      result: { operations: [] },
      preLeased: [],
      left: 0,
      events: [],
    });
    expect([await count('transcripts', videoId), await count('selections', videoId)]).toEqual([1, 1]);
  });
});

describe('ending a settlement', () => {
  it('resolves the operation once; a repeat under another task changes nothing', async () => {
    const begun = await started(freshVideo());
    const { operationId } = begun;
    const { preLeased } = await deliver(begun);
    const settle = (taskId: string) =>
      endSettlement(sql, { lease: { id: taskId, epoch: '1' }, operationId, settlement: 'settled' });
    expect(await settle(preLeased?.[0]?.id ?? '')).toMatchObject({
      state: 'delivered',
      settlement: 'settled',
    });
    const again = await pool.query(
      `SELECT messaging.enqueue_held('settle-operation', '{}', '{}', 10000) AS id`,
    );
    expect(await settle(again.rows[0].id)).toBeNull();
  });
});
