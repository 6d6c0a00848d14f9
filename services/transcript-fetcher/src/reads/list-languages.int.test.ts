import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { VIDEO_LANGUAGES_PER_DAY } from '@tds/contracts';
import { loadVideoId } from '@tds/simulators/platform';
import { codeOf, fakeClock } from '@tds/test-kit';
import { coldLimits } from '../credits/domain/cold-caps.ts';
import { startFetcher } from '../test-support/start-fetcher.ts';

let fetcher: Awaited<ReturnType<typeof startFetcher>>;
const clock = fakeClock(new Date());
beforeAll(async () => {
  fetcher = await startFetcher({ now: clock.now });
});
afterAll(() => fetcher?.stop());
afterEach(() => {
  fetcher.simulator.faults.clear();
  fetcher.simulator.resetRequests();
});

const asked = () => fetcher.simulator.requests().byEndpoint;
const DAY_MS = 24 * 60 * 60 * 1_000;

describe('the languages of a video', () => {
  it('come from the platform, asked once without captions, and then from what is known', async () => {
    const first = await fetcher.languages('dubbedAsr01');
    expect(first).toMatchObject({
      video_id: 'dubbedAsr01',
      original_language: 'en',
      translatable: true,
      tracks: ['de', 'en', 'es', 'hi'].map((language_code) => ({ language_code, kind: 'asr' })),
    });
    expect(asked()).toEqual({ player: 1 });
    expect(await fetcher.languages('dubbedAsr01')).toEqual(first);
    expect(asked()).toEqual({ player: 1 });
    expect(await fetcher.facts('dubbedAsr01')).toMatchObject({
      video: { status: 'unknown', title: expect.any(String), fetched_at: null },
      caption_tracks: first.tracks,
      selected: null,
    });
  });

  it('are known from a transcript that was fetched', async () => {
    const videoId = loadVideoId(1);
    await fetcher.get({ videoId });
    const { fetched_at } = (await fetcher.facts(videoId)).video;
    fetcher.simulator.resetRequests();
    const languages = await fetcher.languages(videoId, { cacheOnly: true });
    expect(languages).toMatchObject({ original_language: 'en', translatable: true });
    expect(languages.tracks.map(({ language_code: code, kind }) => [code, kind])).toEqual([
      ['en', 'manual'],
      ['en', 'asr'],
    ]);
    expect(asked()).toEqual({});
    expect((await fetcher.facts(videoId)).video).toMatchObject({ status: 'fetched', fetched_at });
  });

  it('are asked for again after a day', async () => {
    const videoId = loadVideoId(2);
    await fetcher.get({ videoId });
    clock.advance(DAY_MS);
    fetcher.simulator.resetRequests();
    expect(await codeOf(fetcher.languages(videoId, { cacheOnly: true }))).toBe('not_cached');
    expect(asked()).toEqual({});
    await fetcher.languages(videoId);
    expect(asked()).toEqual({ player: 1 });
    expect((await fetcher.facts(videoId)).video.status).toBe('fetched');
  });

  it('say what is unknown: the language of a video that has written captions only', async () => {
    expect(await fetcher.languages('noTransl_01')).toMatchObject({ translatable: false });
    expect(await fetcher.languages('manualEn001')).toMatchObject({
      original_language: null,
      translatable: true,
    });
  });

  it.each([
    ['private_001', 'video_unavailable'],
    ['noCaptions1', 'no_captions'],
    ['upcoming_01', 'transcript_not_ready'],
    ['nowhere0001', 'video_unavailable'],
  ])('of %s are the error of its transcript, %s, which is remembered for both', async (videoId, code) => {
    expect(await codeOf(fetcher.languages(videoId))).toBe(code);
    fetcher.simulator.resetRequests();
    expect(await codeOf(fetcher.languages(videoId))).toBe(code);
    expect(await codeOf(fetcher.get({ videoId }))).toBe(code);
    expect(asked()).toEqual({});
  });

  it('are asked for again after a block, which is no fact about the video', async () => {
    expect(await codeOf(fetcher.languages('botCheck_01'))).toBe('ip_blocked');
    fetcher.simulator.resetRequests();
    expect(await codeOf(fetcher.languages('botCheck_01'))).toBe('ip_blocked');
    expect(fetcher.simulator.requests().total).toBeGreaterThan(0);
  });

  it('cost nothing and take no cold fetch', async () => {
    const reserved = fetcher.ledger.size();
    await fetcher.languages(loadVideoId(3));
    expect(fetcher.ledger.size()).toBe(reserved);
    expect(await fetcher.query('SELECT FROM operations WHERE video_id = $1', [loadVideoId(3)])).toEqual([]);
  });

  it('count for the account and the day, known or not, and never beyond its limit', async () => {
    const accountId = randomUUID();
    const scope = `languages:${accountId}`;
    await fetcher.query(`INSERT INTO cold_counts VALUES ($1, $2::date, $3)`, [
      scope,
      clock.now().toISOString().slice(0, 10),
      VIDEO_LANGUAGES_PER_DAY - 1,
    ]);
    await fetcher.languages('dubbedAsr01', { accountId });
    expect(await codeOf(fetcher.languages('dubbedAsr01', { accountId }))).toBe('video_languages_cap');
    expect(await codeOf(fetcher.languages('dubbedAsr01'))).toBe('answered');
  });

  it('of free accounts count in the free pool if the platform is asked, apart from transcripts, and fewer for new ones', async () => {
    const day = clock.now().toISOString().slice(0, 10);
    const countOf = async (scope: string) =>
      (
        await fetcher.query<{ count: number }>(
          'SELECT count FROM cold_counts WHERE scope = $1 AND day = $2::date',
          [scope, day],
        )
      )[0]?.count ?? 0;
    const use = (scope: string, count: number) =>
      fetcher.query(
        `INSERT INTO cold_counts VALUES ($1, $2::date, $3) ON CONFLICT (scope, day) DO UPDATE SET count = excluded.count`,
        [scope, day, count],
      );
    let videos = 50;
    const ask = (accountId: string, tier: 'free' | 'paid', accountCreatedAt = '2026-01-01T00:00:00.000Z') =>
      codeOf(fetcher.languages(loadVideoId(++videos), { accountId, tier, accountCreatedAt }));
    const [one, young] = [randomUUID(), randomUUID()];
    const before = await countOf('pool:free');
    expect(await ask(one, 'free')).toBe('answered');
    expect(await codeOf(fetcher.languages(loadVideoId(videos), { accountId: one, tier: 'free' }))).toBe(
      'answered',
    );
    expect(await ask(randomUUID(), 'paid')).toBe('answered');
    expect([(await countOf('pool:free')) - before, await countOf(`questions:${one}`)]).toEqual([1, 1]);
    await use(`questions:${one}`, coldLimits.perKey.free);
    expect(await ask(one, 'free')).toBe('video_languages_cap');
    await use(`questions:${young}`, coldLimits.perNewAccount);
    expect(await ask(young, 'free')).toBe('answered');
    expect(await ask(young, 'free', clock.now().toISOString())).toBe('video_languages_cap');
    await use('pool:free', coldLimits.freePool);
    fetcher.simulator.resetRequests();
    expect(await ask(randomUUID(), 'free')).toBe('free_pool_cap');
    expect(asked()).toEqual({});
    expect(await ask(randomUUID(), 'paid')).toBe('answered');
    await use('pool:free', 0);
  });
});
