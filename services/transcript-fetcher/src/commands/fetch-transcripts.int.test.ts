import { randomUUID } from 'node:crypto';
import { loadVideoId } from '@tds/platform-simulator';
import { eventually } from '@tds/test-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { BATCH_FETCHES_AT_ONCE } from '../deps.ts';
import { type Batch, batchOf, wordFor } from '../test-support/batches.ts';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());
afterEach(() => {
  fetcher.simulator.setLatency(0);
  fetcher.simulator.setAtOnce(Number.POSITIVE_INFINITY);
});

/** Shorter than what the platform's adapter waits for. */
const SLOW_MS = 5_000;

let videos = 40_000;
const freshVideos = (count: number) => Array.from({ length: count }, () => loadVideoId(++videos));
const wordsOf = async (batch: Batch) => (await fetcher.batches.finish(batch)).map(wordFor);
/** How many fetches were begun for these videos. */
const fetchesOf = async (videoIds: readonly string[]) =>
  (await fetcher.query('SELECT FROM fetches WHERE video_id = ANY ($1)', [videoIds])).length;
const idsOf = ({ rows }: Batch) => rows.map(({ videoId }) => videoId);
const manyOf = (word: string, count: number) => Array.from({ length: count }, () => word);

describe('a batch of cold rows', () => {
  it('is delivered, each row for one credit that nobody has reserved; sent again, all rows are what they were', async () => {
    const reserved = fetcher.ledger.asked.length;
    const batch = batchOf(freshVideos(40));
    const outcomes = await fetcher.batches.finish(batch);
    expect(outcomes.map(wordFor)).toEqual(manyOf('MISS 1', 40));
    expect(await fetcher.batches.finish(batch)).toEqual(outcomes);
    expect(fetcher.ledger.asked.length).toBe(reserved);
    expect(await fetchesOf(idsOf(batch))).toBe(40);
  });

  it('says of each delivery what its manifest needs, and what an interactive reader is told, too', async () => {
    const batch = batchOf(['manualEn001']);
    const [row] = await fetcher.batches.finish(batch);
    const asked = { videoId: 'manualEn001', format: 'srt', accountId: batch.accountId } as const;
    const interactive = await fetcher.get(asked);
    if (row?.state !== 'delivered' || interactive.state !== 'delivered') throw new Error('not delivered');
    const { video, language, objectKey, bytes, sha256, fetchedAt } = interactive;
    expect(row).toMatchObject({ video, language, objectKey, bytes, sha256, fetchedAt, strategy: 'android' });
  });

  it('is one operation per row when it is sent by several callers at once', async () => {
    fetcher.simulator.setLatency(100);
    const batch = batchOf(freshVideos(10));
    const all = await Promise.all([1, 2, 3].map(() => wordsOf(batch)));
    expect(all).toEqual([1, 2, 3].map(() => manyOf('MISS 1', 10)));
    expect(await fetchesOf(idsOf(batch))).toBe(10);
  });

  it('answers what has ended by then after its wait, and goes on meanwhile', async () => {
    const release = fetcher.simulator.hold();
    const batch = batchOf(freshVideos(2));
    expect(await fetcher.batches.send(batch, 0)).toEqual([]);
    release();
    expect(await wordsOf(batch)).toEqual(manyOf('MISS 1', 2));
  });

  it('is charged once where an account names a video twice, in one batch or in two at once', async () => {
    const [twice = '', once = ''] = freshVideos(2);
    const first = batchOf([twice, twice, once]);
    const second = batchOf([twice, once], { accountId: first.accountId });
    const stranger = batchOf([twice, once]);
    const batches = [first, second, stranger];
    // The platform answers when all of them wait for it.
    const release = fetcher.simulator.hold();
    await Promise.all(batches.map((batch) => fetcher.batches.send(batch, 0)));
    release();
    const [words, others, strangers] = await Promise.all(batches.map(wordsOf));
    const charged = [...(words ?? []), ...(others ?? [])].filter((word) => word === 'MISS 1');
    expect(charged).toHaveLength(2);
    expect([words?.length, others?.length]).toEqual([3, 2]);
    expect(strangers).toEqual(['MISS 1', 'MISS 1']);
    expect(await fetchesOf([twice, once])).toBe(2);
  });

  it('in several languages that lead to one track is charged once, too', async () => {
    fetcher.simulator.setLatency(100);
    const ids = freshVideos(5);
    const first = batchOf(ids);
    const batches = ['en-GB', 'en-US'].map((language) =>
      batchOf(ids, { accountId: first.accountId, language }),
    );
    const words = (await Promise.all([first, ...batches].map(wordsOf))).flat();
    expect(words.filter((word) => word === 'MISS 1')).toHaveLength(5);
    expect(words.filter((word) => word === 'HIT 0')).toHaveLength(10);
  });
});

describe('a batch and an interactive request of one account for one track', () => {
  const interactive = (batch: Batch) =>
    fetcher.get({ videoId: batch.rows[0]?.videoId ?? '', accountId: batch.accountId, format: 'srt' });

  it('are paid for by the batch if that came first', async () => {
    fetcher.simulator.setLatency(200);
    const batch = batchOf(freshVideos(1));
    await fetcher.batches.send(batch, 0);
    const [answer, words] = await Promise.all([interactive(batch), wordsOf(batch)]);
    expect(answer).toMatchObject({ state: 'delivered', creditsCharged: 0 });
    expect(words).toEqual(['MISS 1']);
  });

  it('are paid for by the request if that came first, and the row is a hit', async () => {
    fetcher.simulator.setLatency(200);
    const batch = batchOf(freshVideos(1));
    const reserved = fetcher.ledger.asked.length;
    const asking = interactive(batch);
    while (fetcher.ledger.asked.length === reserved) await new Promise(setImmediate);
    expect(await wordsOf(batch)).toEqual(['HIT 0']);
    expect(await asking).toMatchObject({ state: 'delivered', creditsCharged: 1 });
  });

  it('are fetched at once, in front of the long batch that has not come to them yet', async () => {
    fetcher.simulator.setLatency(SLOW_MS);
    const batch = batchOf(freshVideos(BATCH_FETCHES_AT_ONCE * 2));
    await fetcher.batches.send(batch, 0);
    const asked = () => batch.rows.filter(({ videoId }) => fetcher.simulator.requests().byVideo[videoId]);
    await eventually(() => expect(asked()).toHaveLength(BATCH_FETCHES_AT_ONCE));
    // Those that are under way go on being slow: all turns are taken.
    fetcher.simulator.setLatency(0);
    const last = batch.rows.at(-1)?.videoId ?? '';
    for (const accountId of [batch.accountId, randomUUID()]) {
      const answer = await fetcher.get({ videoId: last, accountId, format: 'srt' });
      expect(answer).toMatchObject({ state: 'delivered' });
    }
    const ended = await fetcher.query(
      `SELECT video_id FROM operations WHERE account_id = $1 AND state <> 'fetching'`,
      [batch.accountId],
    );
    expect(ended).toEqual([{ video_id: last }]);
    expect(await wordsOf(batch)).toEqual(manyOf('MISS 1', BATCH_FETCHES_AT_ONCE * 2));
  });
});

describe('rows that are not cold', () => {
  it('are hits at no charge, in the first answer', async () => {
    const ids = freshVideos(30);
    await fetcher.batches.finish(batchOf(ids));
    const outcomes = await fetcher.batches.send(batchOf(ids));
    expect(outcomes.map(wordFor)).toEqual(manyOf('HIT 0', 30));
  });

  it('are told by findCachedSelections, with those that are known to fail', async () => {
    const [cached = '', cold = ''] = freshVideos(2);
    await fetcher.batches.finish(batchOf([cached, 'private_001']));
    const told = await fetcher.batches.selections([cold, 'private_001', cached]);
    expect(told).toEqual({ cached: [cached], failed: ['private_001'] });
    const strict = await fetcher.batches.selections([cached], { language: 'ja', fallback: false });
    expect(strict).toEqual({ cached: [], failed: [] });
  });
});

describe('rows that fail', () => {
  const failures = {
    private_001: 'video_unavailable',
    noCaptions1: 'no_captions',
    liveNow_001: 'transcript_not_ready',
    upcoming_01: 'transcript_not_ready',
    botCheck_01: 'ip_blocked',
    tokenXpe_01: 'po_token_required',
    tryLater_01: 'rate_limited',
    garbageTxt1: 'upstream_error',
  };

  it('are told with their codes beside those that are delivered, cost nothing, and say when to ask again', async () => {
    const [cold = '', cached = ''] = freshVideos(2);
    await fetcher.batches.finish(batchOf([cached]));
    const batch = batchOf([cold, ...Object.keys(failures), cached]);
    const outcomes = await fetcher.batches.finish(batch);
    expect(outcomes.map(wordFor)).toEqual(['MISS 1', ...Object.values(failures), 'HIT 0']);
    const live = outcomes.filter((outcome) => wordFor(outcome) === 'transcript_not_ready');
    for (const outcome of live) expect(outcome).toMatchObject({ retryAfterSeconds: expect.any(Number) });
    const [charged] = await fetcher.query<{ sum: number }>(
      'SELECT sum(charge)::int AS sum FROM operations WHERE account_id = $1',
      [batch.accountId],
    );
    expect(charged?.sum).toBe(1);
  });

  it('of a language fail for strict batches only', async () => {
    const strict = batchOf(['noTransl_01'], { language: 'ja', fallback: false });
    expect(await wordsOf(strict)).toEqual(['language_unavailable']);
    expect(await wordsOf(batchOf(['noTransl_01'], { language: 'ja' }))).toEqual(['MISS 1']);
  });
});

describe('files in other formats', () => {
  it('are rendered where they are missing, and told from then on; what nobody has is told for itself', async () => {
    const outcomes = await fetcher.batches.finish(batchOf(freshVideos(12)));
    const ids = outcomes.flatMap((row) => (row.state === 'delivered' ? [row.transcriptId] : []));
    const unknown = randomUUID();
    const rows = await fetcher.batches.render([...ids, unknown], 'md');
    expect(rows.map(({ state }) => state)).toEqual([...manyOf('rendered', 12), 'failed']);
    expect(await fetcher.batches.render([...ids, unknown], 'md')).toEqual(rows);
    expect(new Set(rows.map((row) => (row.state === 'rendered' ? row.sha256 : null))).size).toBe(13);
  });
});
