import { randomUUID } from 'node:crypto';
import { serviceError } from '@tds/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshVideo, openTables, SENDING, type Tables } from '../test-support/tables.ts';
import { findOpenFetch, findWaitingFetches, handOver, hurryFetch, startFetch } from './fetches.ts';
import { startRestoring } from './open-operation.ts';
import { findRestorable, restoreBatch } from './restore-batch.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const track = { language: 'en', fallback: true, format: 'srt' } as const;
let tables: Tables;
beforeAll(async () => {
  tables = await openTables();
});
afterAll(() => tables?.stop());

type Lost = { readonly videoId: string; readonly transcriptId: string };
/** A transcript whose cues are lost, and when it was last begun to bring them back, in seconds. */
const lost = async (begunSecondsAgo: number | null = null): Promise<Lost> => {
  const videoId = freshVideo();
  const transcriptId = await tables.add.transcript({ video_id: videoId });
  await tables.query(
    `UPDATE transcripts SET restore_begun_at = now() - $2::float8 * interval '1 second' WHERE id = $1`,
    [transcriptId, begunSecondsAgo],
  );
  return { videoId, transcriptId };
};
const restore = (of: Lost, accountId: string = randomUUID(), slots = 0) => {
  const wanted = { id: randomUUID(), accountId, keyId: randomUUID(), ...track, ...of };
  return startRestoring(tables.sql, wanted, { ...SENDING, slots });
};
const restoreAll = async (all: readonly Lost[], accountId: string = randomUUID()) => {
  const rows = all.map((one) => ({ operationId: randomUUID(), ...one }));
  const { result, left } = await restoreBatch(
    tables.sql,
    { accountId, keyId: null, ...track, rows },
    SENDING,
  );
  return { rows, left, result: new Map(result.map((row) => [row.operationId, row])) };
};
const operationsOf = ({ videoId }: Lost) =>
  tables.query(
    'SELECT price, settlement, state FROM operations WHERE video_id = $1 ORDER BY created_at, id',
    [videoId],
  );
const fetchesOf = ({ videoId }: Lost) =>
  tables.query<{ id: string; background: boolean }>(
    'SELECT id, is_background AS background FROM fetches WHERE video_id = $1',
    [videoId],
  );
const tasksOf = async (name: string, { videoId }: Lost) =>
  (
    await tables.query('SELECT FROM messaging.tasks WHERE name = $1 AND payload::text LIKE $2', [
      name,
      `%${videoId}%`,
    ])
  ).length;
const free = { price: 0, settlement: 'released', state: 'fetching' };

describe('a lost transcript that somebody waits for', () => {
  it('is fetched by an operation that costs nothing, in front, at once if there is a slot', async () => {
    const one = await lost();
    const { result, preLeased } = await restore(one, randomUUID(), 1);
    expect(await operationsOf(one)).toEqual([free]);
    expect(await fetchesOf(one)).toMatchObject([{ background: false }]);
    expect(preLeased).toMatchObject([
      { payload: { operationId: result.id, wanted: { videoId: one.videoId } } },
    ]);
  });

  it('is one operation for an account and one fetch for all, also where all come at once', async () => {
    const one = await lost();
    const [account, others] = [randomUUID(), [randomUUID(), randomUUID()]];
    const all = await Promise.all([account, account, ...others].map((id) => restore(one, id)));
    expect(new Set(all.map(({ result }) => result.id)).size).toBe(3);
    expect(all.every(({ result }) => result.id !== null)).toBe(true);
    expect(await fetchesOf(one)).toHaveLength(1);
    expect(await tasksOf('fetch-track', one)).toBe(1);
  });

  it('is not tried again within a minute, and says for how long, in whole seconds', async () => {
    const { result } = await restore(await lost(20));
    expect(result.id).toBeNull();
    expect(result.waitSeconds).toBeGreaterThan(30);
    expect(result.waitSeconds).toBeLessThanOrEqual(40);
    expect((await restore(await lost(61))).result.id).not.toBeNull();
  });

  it('joins what is under way within that minute', async () => {
    const one = await lost();
    await restore(one);
    expect((await restore(one)).result.id).not.toBeNull();
    expect(await fetchesOf(one)).toHaveLength(1);
  });

  it('is put in front where only a batch has waited for it, once', async () => {
    const one = await lost();
    const account = randomUUID();
    const { rows } = await restoreAll([one], account);
    const { result } = await restore(one, account);
    expect(result.id).toBe(rows[0]?.operationId);
    expect(await fetchesOf(one)).toMatchObject([{ background: false }]);
    await restore(one, account);
    expect([await tasksOf('fetch-track', one), await tasksOf('fetch-tracks', one)]).toEqual([1, 1]);
  });
});

describe('lost transcripts of a batch', () => {
  it('are begun behind what somebody waits for, at no charge and counted nowhere', async () => {
    const all = [await lost(), await lost()];
    const { rows, left, result } = await restoreAll(all);
    for (const { operationId } of rows)
      expect(result.get(operationId)).toEqual({ operationId, id: operationId, waitSeconds: null });
    expect(left).toBe(1);
    for (const one of all) {
      expect(await operationsOf(one)).toEqual([{ ...free, settlement: 'by_caller' }]);
      expect(await fetchesOf(one)).toMatchObject([{ background: true }]);
    }
    expect(await tables.query('SELECT FROM cold_counts')).toEqual([]);
  });

  it('are begun beside those that were tried within the minute, which say for how long', async () => {
    const [tried, fresh] = [await lost(20), await lost()];
    const { rows, result } = await restoreAll([tried, fresh]);
    const [first, second] = rows.map(({ operationId }) => result.get(operationId));
    expect(first).toMatchObject({ id: null });
    expect(first?.waitSeconds).toBeGreaterThan(30);
    expect(second).toMatchObject({ id: rows[1]?.operationId, waitSeconds: null });
    expect(await operationsOf(tried)).toEqual([]);
  });

  it('join a fetch that is under way within that minute', async () => {
    const one = await lost();
    await restore(one);
    const { rows, left, result } = await restoreAll([one]);
    expect(result.get(rows[0]?.operationId ?? '')?.id).toBe(rows[0]?.operationId);
    expect(left).toBe(0);
    expect(await fetchesOf(one)).toHaveLength(1);
  });

  it('are fetched once where two batches come at once, in any order of their rows', async () => {
    const all = [await lost(), await lost(), await lost()];
    const both = await Promise.all([restoreAll(all), restoreAll(all.toReversed())]);
    for (const { rows, result } of both)
      for (const { operationId } of rows) expect(result.get(operationId)?.id).toBe(operationId);
    for (const one of all) expect(await fetchesOf(one)).toHaveLength(1);
    expect(both.map(({ left }) => left).toSorted()).toEqual([0, 1]);
  });

  it('are nothing if there are none', async () => {
    expect(await restoreAll([])).toMatchObject({ left: 0, rows: [] });
  });
});

describe('a language by which a lost transcript can be asked for', () => {
  const restorable = (of: readonly Lost[]) =>
    findRestorable(
      tables.sql,
      of.map(({ transcriptId }) => transcriptId),
      now,
    );
  const led = async (languages: Readonly<Record<string, boolean>>): Promise<Lost> => {
    const one = await lost();
    for (const [language, is_fallback] of Object.entries(languages))
      await tables.add.selection({
        video_id: one.videoId,
        transcript_id: one.transcriptId,
        language,
        is_fallback,
      });
    return one;
  };

  it('is one that leads there by itself rather than one that falls back', async () => {
    const one = await led({ de: true, fr: false, it: false });
    expect(await restorable([one])).toEqual([{ ...one, language: 'fr' }]);
    const fallback = await led({ de: true });
    expect(await restorable([fallback])).toEqual([{ ...fallback, language: 'de' }]);
  });

  it('is none where nothing leads to it any more', async () => {
    expect(await restorable([await led({})])).toEqual([]);
  });

  it.each([
    ['until it is over', new Date(now.getTime() + 1), 0],
    ['and is one again then', now, 1],
  ])('is none for a video that the platform is known not to have, %s', async (_when, endsAt, found) => {
    const one = await led({ en: false });
    const fact = serviceError('video_unavailable').data;
    await tables.add.video({ id: one.videoId, status: 'unavailable', fact, fact_expires_at: endsAt });
    expect(await restorable([one])).toHaveLength(found);
  });
});

describe('a fetch for which only batches wait', () => {
  const background = async () => {
    const videoId = freshVideo();
    const fetchId = await tables.add.fetch({ video_id: videoId, is_background: true });
    const row = { video_id: videoId, fetch_id: fetchId, state: 'fetching', settlement: 'by_caller' };
    return { videoId, fetchId, operationId: await tables.add.operation(row) };
  };

  it('gets a task in front once somebody else attaches to it, and is left by its batch', async () => {
    const { videoId, fetchId } = await background();
    const waiting = await tables.add.operation({ video_id: videoId });
    const { preLeased } = await startFetch(tables.sql, waiting, { ...SENDING, slots: 1 });
    expect(preLeased).toMatchObject([{ payload: { fetchId, wanted: { videoId, format: 'srt' } } }]);
    expect(await findWaitingFetches(tables.db, [fetchId])).toEqual([]);
    expect(await findOpenFetch(tables.db, fetchId)).toMatchObject({ id: fetchId, videoId });
  });

  it('is hurried once, however many hurry it at once; without a slot the task is for anybody', async () => {
    const { operationId } = await background();
    const all = await Promise.all([1, 2, 3].map(() => hurryFetch(tables.sql, operationId, SENDING)));
    expect(all.filter(({ left }) => left === 1)).toHaveLength(1);
    expect(all.filter((one) => Object.keys(one).length === 0)).toHaveLength(2);
  });

  it('is handed over once, and not at all when it has ended', async () => {
    const { fetchId } = await background();
    const all = await Promise.all([1, 2, 3].map(() => handOver(tables.db, fetchId)));
    expect(all.filter(Boolean)).toHaveLength(1);
    const ended = await background();
    await tables.query(`UPDATE fetches SET state = 'done' WHERE id = $1`, [ended.fetchId]);
    expect(await handOver(tables.db, ended.fetchId)).toBe(false);
    expect(await findOpenFetch(tables.db, ended.fetchId)).toBeNull();
    expect(await hurryFetch(tables.sql, ended.operationId, SENDING)).toEqual({});
  });
});
