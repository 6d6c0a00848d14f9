import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { serviceError } from '@tds/errors';
import { freshVideos, newSteps, type Steps, toEnd, toRead, toRows } from '../../test-support/rows.ts';
import { freshVideo, openTables, type Tables } from '../../test-support/tables.ts';
import { findRestoreWaits } from '../../tracks/store/cache.ts';
import type { End } from './end-rows.ts';
import { adoptFetches } from './rows.ts';
import { acquireSlots, releaseSlots } from './workers.ts';

let tables: Tables;
let steps: Steps;
beforeAll(async () => {
  tables = await openTables();
  steps = newSteps(tables);
});
afterAll(() => tables?.stop());
beforeEach(() => tables.query(`UPDATE fetches SET state = 'failed' WHERE state = 'open'`));

const adopt = (
  worker: string,
  { most = 8, areSuspect = false, inHand = [] as readonly string[] } = {},
): ReturnType<typeof adoptFetches> => adoptFetches(tables.sql, worker, inHand, { limit: most, areSuspect });
/** A fetch of a worker that began `ago`. */
const fetchOf = async (worker: string, ago = '0 seconds', losses = 0): Promise<string> => {
  const begun = await steps.start(toRead());
  await tables.query(
    'UPDATE fetches SET worker_id = $2, begun_at = now() - $3::interval, losses = $4 WHERE id = $1',
    [begun.fetchId, worker, ago, losses],
  );
  return begun.fetchId;
};
const NO_SLOTS = { reads: 0, jobs: 0 };
/** Sends a heartbeat. */
const beat = (worker: string) =>
  acquireSlots(tables.sql, worker, { target: NO_SLOTS, current: NO_SLOTS, all: { reads: 8, jobs: 6 } });
const idsIn = (begun: readonly { fetchId: string }[]) => begun.map(({ fetchId }) => fetchId).toSorted();
const dies = (worker: string) =>
  tables.query(`UPDATE workers SET alive_until = now() - interval '1 second' WHERE id = $1`, [worker]);

describe('a row that begins', () => {
  it('joins the open fetch of its track and starts no second one', async () => {
    const videoId = freshVideo();
    const [first, second] = [toRead(videoId), toRead(videoId)];
    expect(await steps.start(first)).toMatchObject({ videoId, accountId: first.accountId, losses: 0 });
    await steps.open(second);
    expect(await steps.begin([second.reservation])).toEqual([]);
    const rows = await tables.query('SELECT DISTINCT fetch_id FROM operations WHERE id = ANY ($1)', [
      [first.reservation, second.reservation],
    ]);
    expect(rows).toHaveLength(1);
  });

  it('shares one fetch with seven others that begin at the same moment', async () => {
    const videoId = freshVideo();
    const reads = Array.from({ length: 8 }, () => toRead(videoId));
    for (const read of reads) await steps.open(read);
    const begun = await Promise.all(reads.map(({ reservation }) => steps.begin([reservation])));
    expect(begun.flat()).toHaveLength(1);
  });

  it('begins once, however often it is begun', async () => {
    const read = toRead();
    await steps.start(read);
    expect(await steps.begin([read.reservation, read.reservation])).toEqual([]);
    expect(await steps.begin([read.reservation, randomUUID()])).toEqual([]);
  });

  it('gets the current answer of the cache, and the cached tracks of its video', async () => {
    const videoId = freshVideo();
    const [first, second] = [toRead(videoId), toRead(videoId)];
    await steps.open(second);
    const end = toEnd(await steps.start(first));
    await steps.end([end]);
    const [begun] = await steps.begin([second.reservation]);
    expect(begun).toMatchObject({
      cacheAnswer: { kind: 'hit', hit: { transcript: { id: end.track?.id } } },
      tracks: [{ id: end.track?.id, language_code: 'en', object_key: end.track?.cuesKey }],
    });
  });
});

describe('a takeover', () => {
  it('takes fetches of dead workers, not those of live ones', async () => {
    const [alive, dead, unheard] = [randomUUID(), randomUUID(), randomUUID()];
    await beat(alive);
    await beat(dead);
    await dies(dead);
    await fetchOf(alive, '1 hour');
    const lost = [await fetchOf(dead), await fetchOf(unheard)];
    const taken = await adopt(randomUUID());
    expect(idsIn(taken)).toEqual(lost.toSorted());
    expect(taken.map(({ losses }) => losses)).toEqual([1, 1]);
    expect(await adopt(randomUUID())).toEqual([]);
  });

  it('gives a fetch to one of many concurrent workers', async () => {
    const dead = randomUUID();
    for (let n = 0; n < 6; n += 1) await fetchOf(dead);
    const taken = await Promise.all(Array.from({ length: 4 }, () => adopt(randomUUID(), { most: 3 })));
    expect(idsIn(taken.flat())).toHaveLength(6);
    expect(new Set(idsIn(taken.flat())).size).toBe(6);
  });

  it("includes the worker's own fetch whose start it missed, after a while", async () => {
    const own = randomUUID();
    await beat(own);
    const [known, forgotten] = [await fetchOf(own, '1 minute'), await fetchOf(own, '1 minute')];
    await fetchOf(own, '1 second');
    expect(idsIn(await adopt(own, { inHand: [known] }))).toEqual([forgotten]);
  });

  it('takes fetches of a worker that left at once', async () => {
    const leaving = randomUUID();
    await beat(leaving);
    const fetch = await fetchOf(leaving);
    expect(await adopt(randomUUID())).toEqual([]);
    await releaseSlots(tables.sql, leaving);
    expect(idsIn(await adopt(randomUUID()))).toEqual([fetch]);
  });

  it('counts no loss for a worker that left in order, at any number', async () => {
    const fetch = await fetchOf(randomUUID());
    for (let stops = 0; stops < 5; stops += 1) {
      const leaving = randomUUID();
      await tables.query('UPDATE fetches SET worker_id = $2 WHERE id = $1', [fetch, leaving]);
      await releaseSlots(tables.sql, leaving);
      expect(await adopt(randomUUID())).toMatchObject([{ fetchId: fetch, losses: 0 }]);
    }
  });

  it('takes fetches that two workers died with one at a time, and only if requested', async () => {
    const dead = randomUUID();
    const suspects = [await fetchOf(dead, '9 seconds', 2), await fetchOf(dead, '8 seconds', 3)];
    const innocent = await fetchOf(dead, '7 seconds', 1);
    expect(idsIn(await adopt(randomUUID()))).toEqual([innocent]);
    const [taken, ...others] = await adopt(randomUUID(), { most: 1, areSuspect: true });
    expect([taken?.fetchId, taken?.losses, others]).toEqual([suspects[0], 3, []]);
    expect(idsIn(await adopt(randomUUID(), { most: 1, areSuspect: true }))).toEqual([suspects[1]]);
  });

  it('includes fetches without an operation: they serve later requests', async () => {
    const fetch = await tables.add.fetch();
    expect(await adopt(randomUUID())).toMatchObject([{ fetchId: fetch, accountId: null, format: 'json' }]);
  });

  it('lets a fetch end once, whichever of the two workers is first', async () => {
    const read = toRead();
    const begun = await steps.start(read);
    const [again] = await adopt(randomUUID());
    if (!again) throw new Error('its worker never said that it lives');
    const [first, second] = await Promise.all([steps.end([toEnd(begun)]), steps.end([toEnd(again)])]);
    expect([...first.ended, ...second.ended]).toMatchObject([{ id: read.reservation, charge: 1 }]);
    expect(await tables.query('SELECT FROM transcripts WHERE video_id = $1', [begun.videoId])).toHaveLength(1);
  });
});

describe('a lost transcript', () => {
  const waitOf = async (id: string) => (await findRestoreWaits(tables.sql, [id])).get(id);
  /** Ends a fetch of the video for a new language. */
  const endFetch = async (videoId: string, given: Partial<End>) => {
    const language = `l${randomUUID().slice(0, 4)}`;
    const begun = await steps.start(toRead(videoId, { language }));
    return await steps.end([toEnd(begun, given)]);
  };
  const failed = { track: null, file: null, selection: null, error: serviceError('ip_blocked').data };

  it('may be fetched again by each request until that fails; then not for a minute', async () => {
    const videoId = freshVideo();
    const id = await tables.add.transcript({ video_id: videoId });
    const beside = await tables.add.transcript();
    expect(await findRestoreWaits(tables.sql, [id, randomUUID()])).toEqual(new Map());
    await endFetch(videoId, failed);
    expect(await waitOf(id)).toBeGreaterThan(50);
    expect(await waitOf(id)).toBeLessThanOrEqual(60);
    expect(await waitOf(beside)).toBeUndefined();
    await tables.query(
      `UPDATE transcripts SET restore_failed_at = restore_failed_at - interval '1 minute' WHERE id = $1`,
      [id],
    );
    expect(await waitOf(id)).toBeUndefined();
  });

  it('may be fetched again after a fetch that found it cached', async () => {
    const videoId = freshVideo();
    const id = await tables.add.transcript({ video_id: videoId });
    await endFetch(videoId, { track: null, file: null, cachedId: id });
    expect(await waitOf(id)).toBeUndefined();
  });
});

it('a row of a job changes its version when it begins; a read does not', async () => {
  const batch = await steps.readyBatch({ rows: toRows(freshVideos(1)) });
  const read = toRead();
  await steps.open(read);
  await steps.begin([read.reservation, ...batch.rows.map(({ id }) => id)]);
  const kept = await steps.find([read.reservation, ...batch.rows.map(({ id }) => id)]);
  expect(kept.map(({ changeVersion }) => changeVersion)).toEqual([0, await steps.version(batch)]);
});
