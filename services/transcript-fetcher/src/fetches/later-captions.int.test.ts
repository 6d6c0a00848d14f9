import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import { codeOf, eventually } from '@tds/test-kit';
import { toRows } from '../test-support/batches.ts';
import { startFetcher } from '../test-support/start-fetcher.ts';

let fetcher: Awaited<ReturnType<typeof startFetcher>>;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());
afterEach(() => {
  fetcher.simulator.faults.clear();
  fetcher.simulator.resetRequests();
});

const asked = () => fetcher.simulator.requests().byEndpoint;
let videos = 12_000;
const name = randomUUID;
const kindOf = { language: { kind: 'asr' } };
const written = { language: { kind: 'manual', translation: 'not_requested', fallback: false } };
const charged = { cache: 'MISS', creditsCharged: 1 };
const free = { cache: 'HIT', creditsCharged: 0 };

/** A video whose written captions came after its recognised ones were delivered. */
const keptVideo = async ({ language = 'en', isTranslated = false } = {}) => {
  const videoId = loadVideoId(++videos);
  await fetcher.get({ videoId, language, accountId: randomUUID() });
  // The bytes of another video stand for the recognised ones.
  const other = loadVideoId(++videos);
  await fetcher.get({ videoId: other, language, accountId: randomUUID() });
  const [row] = await fetcher.query<{ id: string }>(
    `UPDATE transcripts AS t SET kind = 'asr', translated = $3, object_key = o.object_key FROM transcripts AS o
     WHERE t.video_id = $1 AND o.video_id = $2 RETURNING t.id`,
    [videoId, other, isTranslated],
  );
  await fetcher.query('DELETE FROM rendered_files WHERE transcript_id = $1', [row?.id]);
  fetcher.simulator.resetRequests();
  return { videoId, id: String(row?.id) };
};
const ends = (videoId: string) =>
  fetcher.query(`UPDATE selections SET expires_at = now() - interval '1 s' WHERE video_id = $1`, [videoId]);
const endOf = async (videoId: string) =>
  (
    await fetcher.query<{ at: Date | null }>('SELECT expires_at AS at FROM selections WHERE video_id = $1', [
      videoId,
    ])
  )[0]?.at;
const transcriptOf = async (id: string) =>
  (
    await fetcher.query<{ object_key: string }>(
      'SELECT object_key, video_id, kind FROM transcripts WHERE id = $1',
      [id],
    )
  )[0];

describe('captions that came later', () => {
  it('are delivered for nothing after the day of the kept ones, which are served until then', async () => {
    const { videoId, id } = await keptVideo();
    const before = await transcriptOf(id);
    expect(await fetcher.get({ videoId })).toMatchObject({ ...free, ...kindOf });
    expect(asked()).toEqual({});
    await ends(videoId);
    expect(await fetcher.get({ videoId })).toMatchObject({ ...free, ...kindOf });
    await eventually(async () => expect(await fetcher.get({ videoId })).toMatchObject({ ...free, ...written }));
    expect(await transcriptOf(id)).toEqual(before);
    expect(await endOf(videoId)).toBeNull();
    expect(asked()).toEqual({ player: 1, timedtext: 1 });
  });

  it('are looked for once a day, however many read at once, and the kept ones stay if the platform fails', async () => {
    const { videoId } = await keptVideo();
    await ends(videoId);
    fetcher.simulator.faults.add({ match: { videoId }, fault: 'block' });
    const other = await fetcher.addInstance();
    await Promise.all(Array.from({ length: 8 }, () => fetcher.get({ videoId })));
    await eventually(() => expect(fetcher.simulator.requests().total).toBeGreaterThan(0));
    await other.stop();
    expect(await fetcher.get({ videoId })).toMatchObject({ ...free, ...kindOf });
    expect(await endOf(videoId)).not.toBeNull();
  });

  it('are found by a job that meets the kept ones', async () => {
    const { videoId } = await keptVideo();
    await ends(videoId);
    await fetcher.batches.submitBatch({ rows: toRows([videoId]) });
    await eventually(async () => expect(await fetcher.get({ videoId })).toMatchObject(written));
  });

  it('come at once if somebody lists the languages of the video', async () => {
    const { videoId } = await keptVideo();
    await fetcher.query('UPDATE videos SET tracks_at = NULL WHERE id = $1', [videoId]);
    await fetcher.languages(videoId);
    expect(await fetcher.get({ videoId })).toMatchObject({ ...free, ...written });
  });

  it('come if a fetch of another language shows them', async () => {
    const { videoId } = await keptVideo();
    await fetcher.get({ videoId, language: 'fr' });
    await fetcher.get({ videoId });
    await eventually(async () => expect(await fetcher.get({ videoId })).toMatchObject({ ...free, ...written }));
  });

  it('are not looked for in old videos, and never for a written track in the wanted language', async () => {
    const videoId = loadVideoId(++videos);
    await fetcher.get({ videoId });
    expect(await endOf(videoId)).toBeNull();
  });
});

describe('a refresh', () => {
  it('delivers the captions of now for a credit, and to everybody after that', async () => {
    const { videoId, id } = await keptVideo();
    const before = await transcriptOf(id);
    expect(await fetcher.get({ videoId, refresh: name() })).toMatchObject({ ...charged, ...written });
    expect(await fetcher.get({ videoId, accountId: randomUUID() })).toMatchObject({ ...free, ...written });
    expect(await transcriptOf(id)).toEqual(before);
  });

  it('costs a credit each time, also if the captions are the same, and once for its name', async () => {
    const videoId = loadVideoId(++videos);
    const requestId = randomUUID();
    const [refresh, keyId] = [name(), randomUUID()];
    const first = await fetcher.get({ videoId });
    expect(await fetcher.get({ videoId, requestId, refresh, keyId })).toMatchObject({
      ...charged,
      objectKey: (first as { objectKey: string }).objectKey,
    });
    expect(await fetcher.get({ videoId, refresh, keyId })).toMatchObject({ creditsCharged: 0, ...written });
    expect(await fetcher.poll(requestId)).toMatchObject({ ...written });
    expect(await fetcher.get({ videoId, requestId: randomUUID(), refresh: name() })).toMatchObject(charged);
    await eventually(() => expect(fetcher.ledger.count('charged', fetcher.account)).toBeGreaterThanOrEqual(3));
    expect(
      await fetcher.query('SELECT sum(charge)::int AS sum FROM operations WHERE video_id = $1', [videoId]),
    ).toEqual([{ sum: 3 }]);
    expect(await fetcher.query('SELECT FROM transcripts WHERE video_id = $1', [videoId])).toHaveLength(1);
  });

  it('brings corrected captions of the same track under an id of their own; what was delivered keeps its bytes', async () => {
    const videoId = loadVideoId(++videos);
    const other = loadVideoId(++videos);
    const accountId = randomUUID();
    await fetcher.get({ videoId: other });
    await fetcher.get({ videoId });
    const [row] = await fetcher.query<{ id: string }>(
      `UPDATE transcripts AS t SET object_key = o.object_key FROM transcripts AS o
       WHERE t.video_id = $1 AND o.video_id = $2 RETURNING t.id`,
      [videoId, other],
    );
    const [id, rows] = [String(row?.id), toRows([videoId])];
    const batchId = randomUUID();
    await fetcher.batches.submitBatch({ batchId, accountId, rows });
    const changes = async () => (await fetcher.batches.allChanges(batchId)).get(String(rows[0]?.operationId));
    const delivered = await changes();
    expect(delivered).toMatchObject({ state: 'delivered', delivery: { transcript_id: id } });
    expect(await fetcher.get({ videoId, refresh: name() })).toMatchObject({ ...charged, ...written });
    expect(await changes()).toEqual(delivered);
    const ids = await fetcher.query<{ id: string }>('SELECT id FROM transcripts WHERE video_id = $1', [
      videoId,
    ]);
    expect(ids).toHaveLength(2);
    expect((await fetcher.facts(videoId)).cached_languages).toHaveLength(1);
    const { transcripts } = await fetcher.library.list(accountId);
    expect(transcripts).toMatchObject([{ language: 'en' }]);
  });

  it('that fails costs nothing and keeps what was kept', async () => {
    const { videoId } = await keptVideo();
    fetcher.simulator.faults.add({ match: { videoId }, fault: 'block' });
    const requestId = randomUUID();
    expect(await codeOf(fetcher.get({ videoId, requestId, refresh: name() }))).toBe('ip_blocked');
    await eventually(() => expect(fetcher.ledger.stateOf(requestId)).toBe('released'));
    expect(await fetcher.get({ videoId })).toMatchObject({ ...free, ...kindOf });
  });

  it('of a translation that is refused now delivers what is kept, for nothing', async () => {
    const videoId = loadVideoId(++videos);
    expect(await fetcher.get({ videoId, language: 'es' })).toMatchObject({
      language: { translation: 'served' },
    });
    fetcher.simulator.faults.add({ match: { videoId }, fault: 'translation_too_many_requests' });
    const served = { language: { translation: 'served', delivered: 'es' } };
    expect(await fetcher.get({ videoId, language: 'es', refresh: name() })).toMatchObject({
      creditsCharged: 0,
      ...served,
    });
    expect(await fetcher.get({ videoId, language: 'es' })).toMatchObject({ ...free, ...served });
  });

  it('of two accounts at once is fetched once and charged to both; of one account it is charged once', async () => {
    const { videoId } = await keptVideo();
    const [one, another] = [randomUUID(), randomUUID()];
    // The second read of an account joins without an operation that could be waited for.
    fetcher.simulator.setLatency(500);
    await fetcher.whileUnderWay(videoId, 2, () =>
      Promise.all([one, one, another].map((accountId) => fetcher.get({ videoId, accountId, refresh: name() }))),
    );
    fetcher.simulator.setLatency(0);
    expect(asked()).toEqual({ player: 1, timedtext: 1 });
    const rows = await fetcher.query(
      'SELECT account_id, sum(charge)::int AS sum FROM operations WHERE video_id = $1 AND refresh IS NOT NULL GROUP BY 1',
      [videoId],
    );
    expect(rows).toEqual(expect.arrayContaining([one, another].map((account_id) => ({ account_id, sum: 1 }))));
  });
});
