import { randomUUID } from 'node:crypto';
import { serviceError } from '@tds/contracts';
import { eventually } from '@tds/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selection, video } from '../test-support/cached.ts';
import { deliveryFor } from '../test-support/deliveries.ts';
import { freshVideo, openTables, SENDING, type Tables } from '../test-support/tables.ts';
import { deliverTracks, type Failing, failFetches } from './end-fetches.ts';
import type { Delivery } from './fetches.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const error = serviceError('no_captions').data;
let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

type Waiting = { readonly operationId: string; readonly delivery: Omit<Delivery, 'reportedTo'> };
/** An open fetch of a track, with one operation of a batch that waits for it, and what it brings. */
const waiting = async ({
  videoId = freshVideo(),
  language = 'en',
  operation = {},
}: {
  videoId?: string;
  language?: string;
  operation?: Record<string, unknown>;
} = {}): Promise<Waiting> => {
  const fetchId = await tables.add.fetch({ video_id: videoId, language, is_background: true });
  const row = { video_id: videoId, language, fetch_id: fetchId, state: 'fetching', settlement: 'by_caller' };
  const operationId = await tables.add.operation({ ...row, ...operation });
  const fetch = { id: fetchId, videoId, language, fallback: true };
  return { operationId, delivery: deliveryFor(fetch, now) };
};
const deliver = (all: readonly Waiting[]) =>
  deliverTracks(
    tables.sql,
    all.map(({ delivery }) => delivery),
    SENDING,
  );
const failureOf = ({ delivery: { fetch } }: Waiting, given: Partial<Failing> = {}): Failing => ({
  ...{ fetch, error, selection: null, video: null },
  ...given,
});
const fail = (failures: readonly Failing[]) => failFetches(tables.sql, failures, SENDING);
const operationOf = async ({ operationId }: Waiting) =>
  (
    await tables.query(
      `SELECT state, settlement, charge, charge_reported AS told, transcript_id AS transcript FROM operations
       WHERE id = $1`,
      [operationId],
    )
  )[0];
const transcriptsOf = async (videoId: string) =>
  (await tables.query<{ id: string }>('SELECT id FROM transcripts WHERE video_id = $1', [videoId])).map(
    ({ id }) => id,
  );
const fetchStates = async (all: readonly Waiting[]) => {
  const ids = all.map(({ delivery }) => delivery.fetch.id);
  const rows = await tables.query<{ state: string }>('SELECT state FROM fetches WHERE id = ANY ($1)', [ids]);
  return rows.map(({ state }) => state);
};
const tasksOf = ({ operationId }: Waiting) =>
  tables.query(
    `SELECT payload -> 'charge' AS charge FROM messaging.tasks WHERE payload ->> 'operationId' = $1`,
    [operationId],
  );

describe('tracks that are delivered together', () => {
  it('end their operations, each told its price; an event says of each that it was fetched', async () => {
    const all = [await waiting(), await waiting({ operation: { price: 3 } })];
    const { result, events, left } = await deliver(all);
    expect([...result].toSorted()).toEqual(all.map(({ operationId }) => operationId).toSorted());
    expect(events?.map(({ payload }) => JSON.parse(payload).videoId).toSorted()).toEqual(
      all.map(({ delivery }) => delivery.fetch.videoId).toSorted(),
    );
    expect(left).toBe(0);
    const [one, other] = all as [Waiting, Waiting];
    const told = { state: 'delivered', settlement: 'by_caller', told: true };
    expect(await operationOf(one)).toEqual({ ...told, charge: 1, transcript: one.delivery.transcript?.id });
    expect(await operationOf(other)).toMatchObject({ charge: 3 });
    expect(await fetchStates(all)).toEqual(['done', 'done']);
  });

  it('settle what an interactive request has reserved by a task, and leave its charge to be told', async () => {
    const one = await waiting({ operation: { settlement: 'pending' } });
    expect((await deliver([one])).left).toBe(1);
    expect(await operationOf(one)).toMatchObject({ settlement: 'pending', charge: 1, told: false });
    expect(await tasksOf(one)).toEqual([{ charge: 1 }]);
  });

  it.each([
    ['was disowned', { settlement: 'pending', disowned_at: now }, 1],
    ['brings back what was paid for', { settlement: 'released', price: 1 }, 0],
  ])('cost nothing where an operation %s', async (_why, operation, settles) => {
    const one = await waiting({ operation });
    expect(await deliver([one])).toMatchObject({ result: [one.operationId], left: settles });
    expect(await operationOf(one)).toMatchObject({ state: 'delivered', charge: 0, told: false });
  });

  it('are one transcript where two languages lead to the same track, for which an account pays once', async () => {
    const videoId = freshVideo();
    const operation = { account_id: randomUUID() };
    const british = await waiting({ videoId, language: 'en-GB', operation });
    const american = await waiting({ videoId, language: 'en-US', operation });
    const stranger = await waiting({ videoId, language: 'en-AU' });
    await deliver([british, american, stranger]);
    const [kept, ...more] = await transcriptsOf(videoId);
    expect(more).toEqual([]);
    const ended = (await Promise.all([british, american, stranger].map(operationOf))) as { charge: number }[];
    expect(ended).toMatchObject(Array(3).fill({ transcript: kept, state: 'delivered' }));
    expect(ended.map(({ charge }) => charge).toSorted()).toEqual([0, 1, 1]);
    const led = await tables.query('SELECT transcript_id AS id FROM selections WHERE video_id = $1', [
      videoId,
    ]);
    expect(led).toEqual(Array(3).fill({ id: kept }));
  });

  it('keep the copy that was saved before, and no file of another one; who has paid for it does not pay again', async () => {
    const videoId = freshVideo();
    const operation = { account_id: randomUUID() };
    const first = await waiting({ videoId, operation });
    await deliver([first]);
    const [again, stranger] = [
      await waiting({ videoId, language: 'en-GB', operation }),
      await waiting({ videoId, language: 'en-US' }),
    ];
    await deliver([again, stranger]);
    const kept = first.delivery.transcript?.id;
    expect(await transcriptsOf(videoId)).toEqual([kept]);
    expect(await operationOf(again)).toMatchObject({ transcript: kept, charge: 0 });
    expect(await operationOf(stranger)).toMatchObject({ transcript: kept, charge: 1 });
    const files = await tables.query(
      `SELECT transcript_id AS id FROM rendered_files f JOIN transcripts t ON t.id = f.transcript_id WHERE t.video_id = $1`,
      [videoId],
    );
    expect(files).toEqual([{ id: kept }]);
  });

  it('lead to what is cached already for nothing, and tell no event', async () => {
    const videoId = freshVideo();
    const cachedId = await tables.add.transcript({ video_id: videoId });
    const { operationId, delivery } = await waiting({ videoId, language: 'en-GB' });
    const one = { operationId, delivery: { ...delivery, transcript: null, file: null, cachedId } };
    const fresh = await waiting();
    const { result, events } = await deliver([one, fresh]);
    expect(result).toHaveLength(2);
    expect(events).toHaveLength(1);
    expect(await operationOf(one)).toMatchObject({ state: 'delivered', charge: 0, transcript: cachedId });
  });

  it('end nothing twice: not what has ended before, nor by two who save the same at once', async () => {
    const all = [await waiting(), await waiting(), await waiting()];
    const [first] = all as [Waiting];
    await deliver([first]);
    const both = await Promise.all([deliver(all), deliver(all.toReversed())]);
    const ended = both.flatMap(({ result }) => result);
    expect(ended.toSorted()).toEqual(
      all
        .slice(1)
        .map(({ operationId }) => operationId)
        .toSorted(),
    );
    expect(both.flatMap(({ events = [] }) => events)).toHaveLength(2);
    expect(await operationOf(first)).toMatchObject({ charge: 1 });
  });
});

describe('fetches that fail together', () => {
  it('end their operations with the error: those that hold a credit are answered when it is given back', async () => {
    const [batch, reserved] = [await waiting(), await waiting({ operation: { settlement: 'pending' } })];
    const { result, events, left } = await fail([batch, reserved].map((one) => failureOf(one)));
    expect(result).toEqual([batch.operationId]);
    expect(left).toBe(1);
    expect(events?.map(({ payload }) => JSON.parse(payload))).toMatchObject(
      Array(2).fill({ language: 'en', errorClass: 'NoCaptions', code: 'no_captions' }),
    );
    expect(await operationOf(batch)).toMatchObject({ state: 'failed', charge: 0 });
    expect([await tasksOf(batch), await tasksOf(reserved)]).toEqual([[], [{ charge: 0 }]]);
    expect(await fetchStates([batch, reserved])).toEqual(['failed', 'failed']);
  });

  it('save what each tells of its video or language, one word each, and nothing of those that tell nothing', async () => {
    const videoId = freshVideo();
    const [german, french, silent] = [
      await waiting({ videoId, language: 'de' }),
      await waiting({ videoId, language: 'fr' }),
      await waiting(),
    ];
    const learnt = { video: { ...video, id: videoId }, tracks: [], status: 'no_captions' } as const;
    const told = {
      ...learnt,
      errorClass: 'NoCaptions',
      fact: { error, expiresAt: null, retryAt: null },
      now,
    };
    const missing = { ...selection, isFallback: true, translation: 'unavailable' } as const;
    await fail([
      failureOf(german, { video: told }),
      failureOf(french, { video: told, selection: missing }),
      failureOf(silent),
    ]);
    const videos = await tables.query('SELECT status, fact FROM videos WHERE id = $1', [videoId]);
    expect(videos).toEqual([{ status: 'no_captions', fact: error }]);
    expect(
      await tables.query('SELECT language, transcript_id FROM selections WHERE video_id = $1', [videoId]),
    ).toEqual([{ language: 'fr', transcript_id: null }]);
    const { videoId: untold } = silent.delivery.fetch;
    expect(await tables.query('SELECT FROM videos WHERE id = $1', [untold])).toEqual([]);
  });

  it('take nothing back that was delivered while they failed', async () => {
    const one = await waiting();
    const saving = await tables.pool.connect();
    await saving.query('BEGIN');
    await saving.query(`UPDATE fetches SET state = 'done' WHERE id = $1`, [one.delivery.fetch.id]);
    const failing = fail([failureOf(one)]);
    await eventually(async () => expect(await tables.waiting()).toBe(1));
    await saving.query('COMMIT');
    saving.release();
    expect(await failing).toMatchObject({ result: [], events: [], left: 0 });
    expect(await operationOf(one)).toMatchObject({ state: 'fetching' });
  });

  it('are nothing if there are none', async () => {
    expect(await fail([])).toEqual({ result: [], events: [], left: 0 });
    expect(await deliver([])).toEqual({ result: [], events: [], left: 0 });
  });
});
