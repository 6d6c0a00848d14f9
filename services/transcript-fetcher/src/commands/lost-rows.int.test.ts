import { randomUUID } from 'node:crypto';
import type { BatchOutcome } from '@tds/contracts';
import { loadVideoId } from '@tds/platform-simulator';
import { eventually } from '@tds/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BATCH_FETCHES_AT_ONCE } from '../deps.ts';
import { type Batch, batchOf, wordFor } from '../test-support/batches.ts';
import { openRows, startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
let objects: ReturnType<typeof openRows>;
beforeAll(async () => {
  fetcher = await startFetcher();
  objects = openRows(fetcher.objectsUrl);
});
afterAll(async () => {
  await objects?.close();
  await fetcher?.stop();
});
afterEach(() => {
  fetcher.simulator.setLatency(0);
  fetcher.simulator.faults.clear();
});

const SLOW_MS = 5_000;

let videos = 60_000;
const freshVideos = (count: number) => Array.from({ length: count }, () => loadVideoId(++videos));
const manyOf = (word: string, count: number) => Array.from({ length: count }, () => word);
const wordsOf = async (batch: Batch) => (await fetcher.batches.finish(batch)).map(wordFor);
const digestOf = (outcome: BatchOutcome) => outcome.state === 'delivered' && outcome.sha256;
const trackOf = (outcome: BatchOutcome) => (outcome.state === 'delivered' ? outcome.transcriptId : '');
const lose = (prefix = '') => objects.query('DELETE FROM objects WHERE starts_with(key, $1)', [prefix]);
const stored = async (outcomes: readonly BatchOutcome[]) => {
  const keys = outcomes.map((outcome) => (outcome.state === 'delivered' ? outcome.objectKey : ''));
  return (await objects.query('SELECT FROM objects WHERE key = ANY ($1)', [keys])).length;
};
/** Tracks that were asked of the platform since its requests were forgotten. */
const tracksAsked = () => fetcher.simulator.requests().byEndpoint.timedtext ?? 0;
/** Everything that any cap on cold fetches has counted. */
const counted = () => fetcher.query('SELECT scope, day, count FROM cold_counts ORDER BY scope, day');

/** A batch that was delivered, and another account's batch of the same videos. */
const delivered = async (count: number) => {
  const ids = freshVideos(count);
  const outcomes = await fetcher.batches.finish(batchOf(ids));
  fetcher.simulator.resetRequests();
  return { ids, outcomes, digests: outcomes.map(digestOf), again: batchOf(ids) };
};

describe('rows whose files the object store has lost', () => {
  it('are rendered again before they are told, with the same bytes', async () => {
    const { again, digests } = await delivered(20);
    await lose('rendered/');
    const outcomes = await fetcher.batches.send(again);
    expect(outcomes.map(wordFor)).toEqual(manyOf('HIT 0', 20));
    expect(outcomes.map(digestOf)).toEqual(digests);
    expect(await stored(outcomes)).toBe(20);
    expect(tracksAsked()).toBe(0);
  });

  it('are rendered again for archives, and told by what was known of them', async () => {
    const { outcomes } = await delivered(5);
    const ids = outcomes.map(trackOf);
    const before = await fetcher.batches.render(ids, 'srt');
    await lose('rendered/');
    expect(await fetcher.batches.render(ids, 'srt')).toEqual(before);
    expect(await stored(outcomes)).toBe(5);
  });
});

describe('rows whose cues are lost as well', () => {
  it('are all fetched again for nothing, in the same bytes, and neither the ledger nor a cap sees it', async () => {
    const { again, digests } = await delivered(40);
    const before = [fetcher.ledger.asked.length, await counted()];
    await lose();
    const outcomes = await fetcher.batches.finish(again);
    expect(outcomes.map(wordFor)).toEqual(manyOf('HIT 0', 40));
    expect(outcomes.map(digestOf)).toEqual(digests);
    expect(await stored(outcomes)).toBe(40);
    expect(tracksAsked()).toBe(40);
    expect([fetcher.ledger.asked.length, await counted()]).toEqual(before);
    expect(await fetcher.batches.finish(again)).toEqual(outcomes);
    expect(tracksAsked()).toBe(40);
  });

  it('are fetched once for all batches and requests that ask at the same time', async () => {
    const { ids, again, digests } = await delivered(10);
    await lose();
    fetcher.simulator.setLatency(100);
    const batches = [again, again, batchOf(ids), batchOf(ids, { accountId: again.accountId })];
    const [single, ...all] = await Promise.all([
      fetcher.get({ videoId: ids[0] ?? '', format: 'srt', accountId: randomUUID() }),
      ...batches.map((batch) => fetcher.batches.finish(batch)),
    ]);
    for (const outcomes of all) {
      expect(outcomes.map(wordFor)).toEqual(manyOf('HIT 0', 10));
      expect(outcomes.map(digestOf)).toEqual(digests);
    }
    expect(single).toMatchObject({ cache: 'HIT', creditsCharged: 0, sha256: digests[0] });
    // What somebody waits for may be fetched in front of the batch that has it under way.
    expect(tracksAsked()).toBeLessThanOrEqual(11);
  });

  it('come behind what somebody waits for, also where that is one of them', async () => {
    const count = BATCH_FETCHES_AT_ONCE * 2;
    const { ids, again } = await delivered(count);
    await lose();
    fetcher.simulator.setLatency(SLOW_MS);
    expect(await fetcher.batches.send(again, 0)).toEqual([]);
    const asked = () => ids.filter((id) => fetcher.simulator.requests().byVideo[id]);
    await eventually(() => expect(asked()).toHaveLength(BATCH_FETCHES_AT_ONCE));
    fetcher.simulator.setLatency(0);
    for (const [accountId, videoId] of [
      [again.accountId, ids.at(-1) ?? ''],
      [randomUUID(), ids.at(-2) ?? ''],
    ] as const) {
      const answer = await fetcher.get({ videoId, accountId, format: 'srt' });
      expect(answer).toMatchObject({ cache: 'HIT', creditsCharged: 0 });
    }
    const ended = await fetcher.query(
      `SELECT FROM operations WHERE account_id = $1 AND state <> 'fetching'`,
      [again.accountId],
    );
    expect(ended).toHaveLength(2);
    expect(await wordsOf(again)).toEqual(manyOf('HIT 0', count));
  });

  it('are told with the charge of their own operation where that has ended before', async () => {
    const ids = freshVideos(3);
    const batch = batchOf(ids, { format: 'srt' });
    await fetcher.batches.finish(batch);
    await lose();
    fetcher.simulator.resetRequests();
    // Nobody has rendered this format, so that the owner of the same rows needs the cues.
    const inAnother = await fetcher.batches.finish({ ...batch, format: 'vtt' });
    expect(inAnother.map(wordFor)).toEqual(manyOf('MISS 1', 3));
    expect(await stored(inAnother)).toBe(3);
    expect(tracksAsked()).toBe(3);
  });

  it('fail for themselves where the platform fails, and are tried again a minute later at the earliest', async () => {
    const { ids, again } = await delivered(3);
    await lose();
    const [blocked = ''] = ids;
    fetcher.simulator.faults.add({ match: { videoId: blocked }, fault: 'block' });
    expect(await wordsOf(again)).toEqual(['ip_blocked', 'HIT 0', 'HIT 0']);
    fetcher.simulator.resetRequests();
    const [refused] = await fetcher.batches.finish(batchOf([blocked]));
    expect(refused).toMatchObject({ state: 'failed', code: 'cache_object_missing', retryable: true });
    const wait = refused?.state === 'failed' ? refused.retryAfterSeconds : null;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect(fetcher.simulator.requests().total).toBe(0);
    fetcher.simulator.faults.clear();
    await fetcher.query(`UPDATE transcripts SET restore_begun_at = now() - interval '61 seconds'`);
    expect(await wordsOf(batchOf([blocked]))).toEqual(['HIT 0']);
  });

  it('are the platform`s own error where that is known to have the video no more', async () => {
    const { ids, again } = await delivered(2);
    await lose();
    const fact = { errorClass: 'Unavailable', code: 'video_unavailable', message: 'Gone.', retryable: false };
    await fetcher.query('UPDATE videos SET fact = $1 WHERE id = $2', [JSON.stringify(fact), ids[0]]);
    expect(await wordsOf(again)).toEqual(['video_unavailable', 'HIT 0']);
    expect(tracksAsked()).toBe(1);
  });
});

describe('files for archives whose cues are lost', () => {
  it('have failed, and are there when they are asked for again, if an account is named', async () => {
    const { outcomes } = await delivered(40);
    const ids = outcomes.map(trackOf);
    const before = await fetcher.batches.render(ids, 'srt');
    await lose();
    const states = (rows: readonly { state: string }[]) => rows.map(({ state }) => state);
    expect(states(await fetcher.batches.render(ids, 'srt'))).toEqual(manyOf('failed', 40));
    expect(fetcher.simulator.requests().total).toBe(0);
    const accountId = randomUUID();
    expect(states(await fetcher.batches.render(ids, 'srt', accountId))).toEqual(manyOf('failed', 40));
    await eventually(async () => expect(await fetcher.batches.render(ids, 'srt', accountId)).toEqual(before));
    expect(tracksAsked()).toBe(40);
    const [sum] = await fetcher.query<{ charge: number }>(
      'SELECT sum(charge)::int AS charge FROM operations WHERE account_id = $1',
      [accountId],
    );
    expect(sum?.charge).toBe(0);
  });
});
