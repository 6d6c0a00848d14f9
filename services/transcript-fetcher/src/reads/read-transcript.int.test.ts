import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import type { ServiceError } from '@tds/errors';
import { testContext } from '@tds/kit/testing';
import { loadVideoId } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import { RENDERERS } from '@tds/transcript-format';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
let pools: { rows: ReturnType<typeof createTestPool>; objects: ReturnType<typeof createTestPool> };
beforeAll(async () => {
  fetcher = await startFetcher({ saveRetry: { retries: 1, firstMs: 1 } });
  pools = { rows: createTestPool(fetcher.database.url), objects: createTestPool(fetcher.objectsUrl) };
});
afterAll(async () => {
  await Promise.all([pools?.rows.end(), pools?.objects.end()]);
  await fetcher?.stop();
});
afterEach(() => {
  fetcher.simulator.setLatency(0);
  fetcher.simulator.faults.clear();
});

let videos = 8_000;
const delivered = async (asked: Parameters<TestFetcher['get']>[0]) => {
  const answer = await fetcher.get(asked);
  if (answer.state !== 'delivered') throw new Error('the transcript was not delivered');
  return answer;
};
const cached = async (format: 'json' | 'srt' = 'srt') => {
  const videoId = loadVideoId(++videos);
  const requestId = randomUUID();
  const { sha256 } = await delivered({ videoId, format, requestId });
  return { videoId, format, requestId, sha256 };
};
const loseAll = () =>
  pools.objects.query('DELETE FROM object_chunks').then(() => pools.objects.query('DELETE FROM objects'));
const ledgerRefs = () => fetcher.ledger.size();
const counts = async (): Promise<number> =>
  Number(
    (await pools.rows.query(`SELECT coalesce(sum(count), 0) AS sum FROM cold_counts WHERE scope LIKE 'key:%'`))
      .rows[0].sum,
  );
const dataErrorOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: ServiceError) => error.data,
  );

describe('a cached transcript lost by the object store', () => {
  it('is fetched again at no charge, with the same bytes, without the ledger or a cap', async () => {
    const { videoId, format, sha256 } = await cached();
    await loseAll();
    fetcher.simulator.resetRequests();
    const [refs, counted] = [ledgerRefs(), await counts()];
    const asked = { videoId, format, accountId: randomUUID() };
    expect(await fetcher.get(asked)).toMatchObject({
      state: 'delivered',
      cache: 'HIT',
      creditsCharged: 0,
      sha256,
    });
    expect(fetcher.simulator.requests().byEndpoint.timedtext).toBe(1);
    expect(await fetcher.get({ ...asked, format: 'md' })).toMatchObject({ cache: 'HIT', creditsCharged: 0 });
    expect(fetcher.simulator.requests().byEndpoint.timedtext).toBe(1);
    expect([ledgerRefs(), await counts()]).toEqual([refs, counted]);
  });

  it('is fetched once for concurrent readers of one account and of others', async () => {
    const { videoId, format, sha256 } = await cached();
    await loseAll();
    fetcher.simulator.setLatency(300);
    fetcher.simulator.resetRequests();
    const accounts = [fetcher.account, fetcher.account, ...Array.from({ length: 4 }, () => randomUUID())];
    const answers = await Promise.all(accounts.map((accountId) => fetcher.get({ videoId, format, accountId })));
    for (const answer of answers) expect(answer).toMatchObject({ cache: 'HIT', creditsCharged: 0, sha256 });
    expect(fetcher.simulator.requests().byEndpoint.timedtext).toBe(1);
  });

  it('is waited for and polled like cold work', async () => {
    const { videoId, format, sha256 } = await cached();
    await loseAll();
    fetcher.simulator.setLatency(1_000);
    const requestId = randomUUID();
    expect(await fetcher.get({ videoId, format, requestId, waitMs: 50 })).toEqual({
      state: 'pending',
      requestId,
    });
    expect(await fetcher.poll(requestId)).toMatchObject({ cache: 'HIT', creditsCharged: 0, sha256 });
  });

  it('is restored for a poll of a paid delivery, in any format, at no charge', async () => {
    const { requestId, sha256 } = await cached();
    await loseAll();
    const [refs] = [ledgerRefs()];
    expect(await fetcher.poll(requestId)).toMatchObject({ cache: 'HIT', creditsCharged: 0, sha256 });
    expect(ledgerRefs()).toBe(refs);
    expect(await fetcher.poll(requestId)).toMatchObject({ cache: 'MISS', creditsCharged: 0, sha256 });
  });

  it("ends in the platform's own error if the platform no longer has it; the video keeps that fact", async () => {
    const [videoId, format] = ['private_001', 'srt'] as const;
    const id = randomUUID();
    await pools.rows.query(
      `INSERT INTO transcripts (id, video_id, language_code, kind, translated, object_key, cached_at, video, strategy)
       VALUES ($1, $2, 'en', 'manual', false, 'cues/lost', now(), $3, 'android')`,
      [id, videoId, {}],
    );
    await pools.rows.query(
      `INSERT INTO selections (video_id, language, transcript_id, is_fallback, translation, available)
       VALUES ($1, 'en', $2, false, 'not_requested', '{en}')`,
      [videoId, id],
    );
    expect(await dataErrorOf(fetcher.get({ videoId, format }))).toMatchObject({ code: 'video_unavailable' });
    fetcher.simulator.resetRequests();
    expect(await dataErrorOf(fetcher.get({ videoId, format }))).toMatchObject({ code: 'video_unavailable' });
    expect(fetcher.simulator.requests().total).toBe(0);
  });

  it("gets all formats from the new cues if the platform's track has changed", async () => {
    const { videoId } = await cached('srt');
    // Other cues were stored and lost; the file rendered from them still exists.
    await pools.rows.query(`UPDATE transcripts SET object_key = 'cues/of-before' WHERE video_id = $1`, [
      videoId,
    ]);
    expect(await fetcher.get({ videoId, format: 'md' })).toMatchObject({ cache: 'HIT', creditsCharged: 0 });
    const { rows } = await pools.rows.query(
      `SELECT f.format, f.transcript_id FROM rendered_files f JOIN transcripts t ON t.id = f.transcript_id WHERE t.video_id = $1`,
      [videoId],
    );
    expect(rows).toMatchObject([{ format: 'md' }]);
    const srt = `rendered/${rows[0].transcript_id}/srt.${RENDERERS.srt}`;
    expect((await pools.objects.query('SELECT FROM objects WHERE key = $1', [srt])).rowCount).toBe(0);
  });

  it('is requested from the platform at most once a minute after a failure', async () => {
    const { videoId, format } = await cached();
    await loseAll();
    fetcher.simulator.faults.add({ match: { videoId }, fault: 'block' });
    expect(await dataErrorOf(fetcher.get({ videoId, format }))).toMatchObject({ errorClass: 'IpBlocked' });
    fetcher.simulator.resetRequests();
    const { code, retryAfterSeconds } = (await dataErrorOf(fetcher.get({ videoId, format }))) ?? {};
    expect(code).toBe('cache_object_missing');
    expect(retryAfterSeconds).toBeGreaterThan(0);
    expect(retryAfterSeconds).toBeLessThanOrEqual(60);
    expect(fetcher.simulator.requests().total).toBe(0);
  });

  it('is not fetched if only the cache may answer', async () => {
    const { videoId, format } = await cached();
    await loseAll();
    fetcher.simulator.resetRequests();
    expect(await dataErrorOf(fetcher.get({ videoId, format, cacheOnly: true }))).toMatchObject({
      code: 'transcript_not_ready',
    });
    expect(fetcher.simulator.requests().total).toBe(0);
  });
});

describe('while the object store is full, a cold transcript', () => {
  beforeAll(() =>
    pools.objects.query(`
      CREATE FUNCTION refuse_object() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$`),
  );
  const fill = () =>
    pools.objects.query(
      'CREATE TRIGGER full_disk BEFORE INSERT ON objects FOR EACH ROW EXECUTE FUNCTION refuse_object()',
    );
  const makeSpace = () => pools.objects.query('DROP TRIGGER IF EXISTS full_disk ON objects');
  afterEach(makeSpace);

  it('ends in a retryable error at no charge, and is delivered once there is space', async () => {
    const [videoId, accountId] = [loadVideoId(++videos), randomUUID()];
    await fill();
    const failure = dataErrorOf(fetcher.get({ videoId, accountId }));
    let hasFailed = false;
    void failure.finally(() => {
      hasFailed = true;
    });
    // A fetch that was not saved is taken over five seconds after its begin, a few times.
    const age = `UPDATE fetches SET begun_at = begun_at - interval '5 s' WHERE video_id = $1 AND state = 'open'`;
    await eventually(async () => {
      await fetcher.query(age, [videoId]);
      await fetcher.handlers().schedules.takeOverLostWork(testContext());
      expect(hasFailed).toBe(true);
    });
    expect(await failure).toMatchObject({ retryable: true });
    await eventually(() =>
      expect([fetcher.ledger.count('held', accountId), fetcher.ledger.count('charged', accountId)]).toEqual([
        0, 0,
      ]),
    );
    await makeSpace();
    expect(await fetcher.get({ videoId, accountId })).toMatchObject({
      state: 'delivered',
      creditsCharged: 1,
    });
  });
});
