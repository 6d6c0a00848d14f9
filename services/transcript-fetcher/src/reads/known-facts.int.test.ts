import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { transcriptFormats } from '@tds/contracts';
import type { ServiceError } from '@tds/errors';
import { loadVideoId } from '@tds/simulators/platform';
import { codeOf, fakeClock } from '@tds/test-kit';
import { toRows } from '../test-support/batches.ts';
import { startFetcher } from '../test-support/start-fetcher.ts';

let fetcher: Awaited<ReturnType<typeof startFetcher>>;
const clock = fakeClock(new Date());
beforeAll(async () => {
  fetcher = await startFetcher({ now: clock.now });
});
afterAll(() => fetcher?.stop());
afterEach(() => fetcher.simulator.resetRequests());

const failureOf = (videoId: string, requestId = randomUUID()): Promise<ServiceError> =>
  fetcher.get({ videoId, requestId }).then(
    () => Promise.reject(new Error(`${videoId} was delivered`)),
    (error) => error,
  );
describe('facts about a video', () => {
  it('do not include a block: the status is error, and the next request fetches', async () => {
    expect(await codeOf(fetcher.get({ videoId: 'botCheck_01' }))).toBe('ip_blocked');
    expect((await fetcher.facts('botCheck_01')).video).toMatchObject({
      status: 'error',
      error_class: 'IpBlocked',
    });
    fetcher.simulator.resetRequests();
    await codeOf(fetcher.get({ videoId: 'botCheck_01' }));
    expect(fetcher.simulator.requests().total).toBeGreaterThan(0);
  });

  it('include "private": the answer comes at once without the platform or the ledger', async () => {
    expect(await codeOf(fetcher.get({ videoId: 'private_001' }))).toBe('video_unavailable');
    const [asked, reserved] = [fetcher.simulator.requests().total, fetcher.ledger.size()];
    expect(await codeOf(fetcher.get({ videoId: 'private_001' }))).toBe('video_unavailable');
    expect([fetcher.simulator.requests().total, fetcher.ledger.size()]).toEqual([asked, reserved]);
  });

  it('a list of videos shows in one query which have a transcript, and their dates', async () => {
    await fetcher.get({ videoId: 'manualEn001' });
    const asked = ['private_001', 'manualEn001', 'nevrFetched', 'manualEn001'];
    const { published_at } = (await fetcher.facts('manualEn001')).video;
    const seen = { id: 'manualEn001', published_at, original_language: null };
    expect(await fetcher.findCachedVideos(asked)).toEqual([seen, seen]);
  });

  it('a video that was never requested is unknown, and reading facts fetches nothing', async () => {
    expect((await fetcher.facts(loadVideoId(9))).video).toMatchObject({ status: 'unknown', title: null });
    expect(fetcher.simulator.requests().total).toBe(0);
  });

  it('have description, tags, views, picture and chapters, and its transcripts keep them', async () => {
    const [videoId, format] = ['chapters_01', 'json'] as const;
    const [cold, warm] = [await fetcher.get({ videoId, format }), await fetcher.get({ videoId, format })];
    const { video } = await fetcher.facts(videoId);
    expect(video).toMatchObject({
      description: expect.stringMatching(/^How a harbour works\.\n\n0:00 Arrival\n/),
      tags: ['harbour', 'cranes'],
      view_count: expect.any(Number),
      thumbnail_url: `https://i.ytimg.com/vi/${videoId}/mqdefault.jpg`,
      chapters: [
        { start: 0, title: 'Arrival' },
        { start: 45, title: 'Unloading' },
        { start: 90, title: 'Departure' },
      ],
    });
    for (const answer of [cold, warm]) {
      expect(video).toMatchObject(answer.state === 'delivered' ? answer.video : {});
      expect(answer).toMatchObject({ state: 'delivered', video: { tags: ['harbour', 'cranes'] } });
    }
  });

  it('a language missing for a strict request is remembered with the available languages', async () => {
    const strict = { videoId: 'noTransl_01', language: 'fr', fallback: false };
    const missing = {
      message: expect.stringMatching(/ This is believed until 20\d\d-.* UTC; over HTTP, refresh=true asks /),
      data: { code: 'language_unavailable', extras: { available_languages: ['en'] } },
    };
    await expect(fetcher.get(strict)).rejects.toMatchObject(missing);
    fetcher.simulator.resetRequests();
    await expect(fetcher.get(strict)).rejects.toMatchObject(missing);
    expect(fetcher.simulator.requests().total).toBe(0);
    expect(await codeOf(fetcher.get({ ...strict, fallback: true }))).toBe('answered');
  });
});

const MINUTE_MS = 60_000;
/** Ages all facts about the video by `ms`. */
const age = (videoId: string, ms: number) =>
  fetcher.query(
    `UPDATE videos SET fact_expires_at = fact_expires_at - $2 * interval '1 ms',
       fact_retry_at = fact_retry_at - $2 * interval '1 ms' WHERE id = $1`,
    [videoId, ms],
  );

describe('a broadcast without captions yet', () => {
  it.each([
    ['liveNow_001', 'NoCaptions', 404, 5 * 60],
    ['upcoming_01', 'Unavailable', 410, 24 * 3_600],
  ])(
    '%s is not ready, of class %s, at no charge, with a wait; its facts are unknown',
    async (videoId, errorClass, http, most) => {
      const requestId = randomUUID();
      const error = await failureOf(videoId, requestId);
      expect(error).toMatchObject({
        code: 'transcript_not_ready',
        errorClass,
        status: http,
        data: { retryable: true },
      });
      const { retryAfterSeconds = 0 } = error.data;
      expect(retryAfterSeconds).toBeGreaterThan(4 * 60);
      expect(retryAfterSeconds).toBeLessThanOrEqual(most);
      expect(fetcher.ledger.stateOf(requestId)).toBe('released');
      const unknown = { status: 'unknown', error_class: null, fetched_at: null };
      expect((await fetcher.facts(videoId)).video).toMatchObject(unknown);
      fetcher.simulator.resetRequests();
      await age(videoId, MINUTE_MS);
      expect((await failureOf(videoId)).data.retryAfterSeconds).toBe(retryAfterSeconds - 60);
      expect(fetcher.simulator.requests().total).toBe(0);
      await age(videoId, 24 * 60 * MINUTE_MS);
      expect((await failureOf(videoId)).code).toBe('transcript_not_ready');
      expect(fetcher.simulator.requests().total).toBeGreaterThan(0);
    },
  );
});

describe('a video that was uploaded just now', () => {
  it('has no captions for minutes, not for a week: a read, its languages and a job have them when they are there', async () => {
    clock.set(new Date().toISOString());
    const [videoId = ''] = fetcher.simulator.upload({ to: '@simulated-03', captionsInSeconds: 3_600 });
    const early = await failureOf(videoId);
    expect(early).toMatchObject({ code: 'transcript_not_ready', errorClass: 'NoCaptions', status: 404 });
    expect(early.data).toMatchObject({
      retryable: true,
      retryAfterSeconds: 300,
      message: expect.stringMatching(/believed until \d{4}-.* UTC; .*refresh=true/),
    });
    await expect(fetcher.languages(videoId)).rejects.toMatchObject({ code: 'transcript_not_ready' });
    const inJob = async () => {
      const batch = { batchId: randomUUID(), rows: toRows([videoId]), language: 'orig' };
      await fetcher.batches.submitBatch(batch);
      return await fetcher.batches.waitForEnds(batch.batchId, batch.rows);
    };
    const wait = { retryable: true, retryAfterSeconds: expect.any(Number) };
    expect(await inJob()).toMatchObject([{ code: 'transcript_not_ready', ...wait }]);
    fetcher.simulator.release(videoId);
    expect((await failureOf(videoId)).code).toBe('transcript_not_ready');
    await age(videoId, 6 * MINUTE_MS);
    expect(await fetcher.get({ videoId })).toMatchObject({ state: 'delivered', creditsCharged: 1 });
    expect((await fetcher.languages(videoId)).tracks.length).toBeGreaterThan(0);
    expect(await inJob()).toMatchObject([{ state: 'delivered' }]);
  });
});

describe('the age of facts', () => {
  it.each([
    ['noCaptions1', 'no_captions'],
    ['deleted_001', 'unavailable'],
    ['wrongVideo1', 'error'],
  ])('%s has the time at which it was found to be %s', async (videoId, status) => {
    clock.set('2026-02-03T04:05:06.789Z');
    await failureOf(videoId);
    expect((await fetcher.facts(videoId)).video).toMatchObject({ status, fetched_at: '2026-02-03 04:05:06' });
  });

  it('a failure that says nothing about the video changes neither its delivery nor its age', async () => {
    clock.set('2026-02-04T00:00:00.000Z');
    const videoId = loadVideoId(70);
    await fetcher.get({ videoId });
    clock.advance(MINUTE_MS);
    fetcher.simulator.faults.add({ match: { videoId }, fault: 'block' });
    expect(await codeOf(fetcher.get({ videoId, language: 'es' }))).toBe('ip_blocked');
    expect((await fetcher.facts(videoId)).video).toMatchObject({
      status: 'fetched',
      error_class: null,
      fetched_at: '2026-02-04 00:00:00',
    });
  });
});

describe('the video details in a transcript', () => {
  it('include its date whichever client served the captions; the date is fetched once', async () => {
    const videoId = loadVideoId(72);
    fetcher.simulator.resetRequests();
    const answers = [await fetcher.get({ videoId }), await fetcher.get({ videoId, language: 'es' })];
    const { published_at: day } = (await fetcher.facts(videoId)).video;
    expect(day).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(answers.map((answer) => answer.state === 'delivered' && answer.video.published_at)).toEqual([
      day,
      day,
    ]);
    expect(fetcher.simulator.requests().byClient.WEB).toEqual({ player: 1 });
  });

  it('stay the same in every format for ever, even if more of the video becomes known', async () => {
    const videoId = loadVideoId(71);
    const dates = async (language: string): Promise<unknown[]> => {
      const answers = [];
      for (const format of transcriptFormats) answers.push(await fetcher.get({ videoId, language, format }));
      return answers.map((answer) => answer.state === 'delivered' && answer.video.published_at);
    };
    // Only the platform's watch page has the publish date.
    const silent = fetcher.simulator.faults.add({
      match: { videoId, client: 'WEB' },
      fault: 'unknown_status',
    });
    expect(await fetcher.get({ videoId, format: 'both' })).toMatchObject({ video: { published_at: null } });
    fetcher.simulator.faults.remove(silent);
    await fetcher.get({ videoId, language: 'es' });
    const { published_at: known } = (await fetcher.facts(videoId)).video;
    expect(known).toMatch(/^\d{4}-\d{2}-\d{2}/);
    expect(await dates('en')).toEqual(transcriptFormats.map(() => null));
    expect(await dates('es')).toEqual(transcriptFormats.map(() => known));
  });
});
