import { afterEach, describe, expect, it } from '@jest/globals';
import { factTtlSeconds, isDurableVideoFact } from '../test-support/facts.ts';
import { closeAll, replyWith, setUp } from '../test-support/set-up.ts';
import { playable, refusedBy, VIDEO_ID, wireTrack } from '../test-support/wire.ts';

afterEach(closeAll);

const english = playable([wireTrack('en')]);
const dated = { playerMicroformatRenderer: { publishDate: '2020-01-01' } };
const silent = playable([], [], { microformat: dated });
const gone = refusedBy('ERROR', 'This video is unavailable');
const blocked = refusedBy('LOGIN_REQUIRED', 'Sign in to confirm you\u2019re not a bot');

describe('what clients say about a video', () => {
  describe.each([
    ['a vague refusal', gone, 'video_unavailable', 410],
    ['a definite refusal', refusedBy('LOGIN_REQUIRED', 'This video is private'), 'video_unavailable', 410],
    ['no captions', silent, 'no_captions', 404],
  ])('%s', (_kind, answer, code, status) => {
    it('is a fact when an app and the web agree', async () => {
      const { failure, outcomes } = await setUp({ ANDROID: replyWith(answer), WEB: replyWith(answer) });
      const error = await failure();
      expect(error).toMatchObject({ code, status, data: { retryable: false } });
      expect(isDurableVideoFact(error)).toBe(true);
      expect(outcomes().map((outcome) => outcome.split(' ')[0])).toEqual(['android', 'web']);
    });

    it.each([
      ['cannot be asked', blocked],
      ['is asked to update', refusedBy('ERROR', 'Please update your browser')],
    ])('by apps alone is no fact if the web %s', async (_why, web) => {
      const { failure } = await setUp({
        ANDROID: replyWith(answer),
        VISIONOS: replyWith(answer),
        WEB: replyWith(web),
      });
      const error = await failure();
      expect(error).toMatchObject({ data: { retryable: true } });
      expect(isDurableVideoFact(error)).toBe(false);
      expect(factTtlSeconds(error) ?? 0).toBeLessThanOrEqual(600);
    });

    it('by apps alone does not hide captions of the web', async () => {
      const { inspect } = await setUp({
        ANDROID: replyWith(answer),
        VISIONOS: replyWith(answer),
        WEB: replyWith(english),
      });
      expect(await inspect()).toMatchObject({ strategy: 'web' });
    });
  });

  it('believes a definite refusal with details of the video at once', async () => {
    const members = JSON.stringify({
      ...JSON.parse(refusedBy('UNPLAYABLE', 'Join this channel to get access')),
      videoDetails: { videoId: VIDEO_ID, title: 'A title' },
    });
    const { failure, outcomes } = await setUp({ ANDROID: replyWith(members) });
    const error = await failure();
    expect(error).toMatchObject({ code: 'video_unavailable', video: { title: 'A title' } });
    expect([isDurableVideoFact(error), outcomes()]).toEqual([true, ['android members_of_level']]);
  });

  it.each(['Something never heard before', 'The following content is not available on this app.'])(
    'words that say nothing of the video are an error of the route, whoever agrees: %s',
    async (words) => {
      const answer = replyWith(refusedBy('UNPLAYABLE', words));
      const { failure } = await setUp({ ANDROID: answer, VISIONOS: answer, WEB: answer });
      const error = await failure();
      expect(error).toMatchObject({ code: 'upstream_error', data: { retryable: true } });
      expect([isDurableVideoFact(error), factTtlSeconds(error)]).toEqual([false, null]);
    },
  );

  it('a recording that is missing after its broadcast is not ready, and lost once the end is long ago', async () => {
    const missing = (details: object, more: object = {}) =>
      replyWith(
        JSON.stringify({
          ...JSON.parse(refusedBy('UNPLAYABLE', 'This live stream recording is not available.')),
          videoDetails: { videoId: VIDEO_ID, isLiveContent: true, ...details },
          ...more,
        }),
      );
    const ended = missing({ isPostLiveDvr: true });
    const fresh = await (await setUp({ ANDROID: ended, WEB: ended })).failure();
    expect(fresh).toMatchObject({ code: 'transcript_not_ready', data: { retryable: true } });
    const liveBroadcastDetails = { endTimestamp: '2020-01-01T00:00:00Z' };
    const microformat = { playerMicroformatRenderer: { publishDate: '2020-01-01', liveBroadcastDetails } };
    const old = await (await setUp({ ANDROID: missing({}), WEB: missing({}, { microformat }) })).failure();
    expect([old, isDurableVideoFact(old)]).toMatchObject([{ code: 'video_unavailable' }, true]);
  });

  it('reports a broadcast before its end as not ready, with the time of a sensible retry', async () => {
    const live = playable([], [], { videoDetails: { videoId: VIDEO_ID, isLive: true } });
    const onAir = await setUp({ ANDROID: replyWith(live) });
    expect(await onAir.failure()).toMatchObject({
      code: 'transcript_not_ready',
      errorClass: 'NoCaptions',
      status: 404,
      data: { retryable: true, retryAfterSeconds: 300 },
    });
    const offline = await setUp({ ANDROID: replyWith(refusedBy('LIVE_STREAM_OFFLINE', 'Soon')) });
    expect(await offline.failure()).toMatchObject({
      code: 'transcript_not_ready',
      errorClass: 'Unavailable',
      status: 410,
      data: { retryable: true, retryAfterSeconds: 600 },
    });
  });

  it.each([
    ['in an hour', 3_600, 3_600],
    ['in a month', 30 * 86_400, 86_400],
    ['long ago', -3_600, 600],
  ])('reports the start of a broadcast as the wait, a day at most: %s', async (_when, startsIn, wait) => {
    const now = new Date('2026-01-15T12:00:00.000Z');
    const scheduledStartTime = String(now.getTime() / 1_000 + startsIn);
    const offlineSlate = { liveStreamOfflineSlateRenderer: { scheduledStartTime } };
    const liveStreamability = { liveStreamabilityRenderer: { offlineSlate } };
    const upcoming = JSON.stringify({
      playabilityStatus: { status: 'LIVE_STREAM_OFFLINE', liveStreamability },
    });
    const { failure } = await setUp({ ANDROID: replyWith(upcoming) }, { clock: () => now });
    expect(await failure()).toMatchObject({ data: { retryAfterSeconds: wait } });
  });
});

describe('a video without captions', () => {
  const now = new Date('2026-11-30T12:00:00.000Z');
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1_000).toISOString();
  const web = (publishDate: string | null, liveBroadcastDetails: object = {}, details: object = {}) =>
    playable([], [], {
      videoDetails: { videoId: VIDEO_ID, title: 'A title', ...details },
      microformat: { playerMicroformatRenderer: { publishDate, liveBroadcastDetails } },
    });
  const lacking = async (watchPage: string, app = playable([])) =>
    (await setUp({ ANDROID: replyWith(app), WEB: replyWith(watchPage) }, { clock: () => now })).failure();
  const [minute, hour, day] = [60, 3_600, 86_400];

  it.each([
    ['two minutes', ago(2 * minute), 5 * minute],
    ['twenty minutes', ago(20 * minute), 10 * minute],
    ['twenty minutes elsewhere', '2026-11-30T03:40:00-08:00', 10 * minute],
    ['an hour', ago(hour), 30 * minute],
    ['a day', ago(day), 12 * hour],
    ['six days', ago(6 * day), day],
    ['a day without a time', '2026-11-30', 5 * minute],
    ['some minutes to come', ago(-10 * minute), 5 * minute],
  ])('is not ready while it is young, and waits grow with its age: %s', async (_age, publishDate, wait) => {
    const error = await lacking(web(publishDate));
    expect(error).toMatchObject({ code: 'transcript_not_ready', errorClass: 'NoCaptions', status: 404 });
    expect(error).toMatchObject({ data: { retryable: true, retryAfterSeconds: wait } });
    expect(factTtlSeconds(error)).toBe(wait);
  });

  it.each([
    ['of eight days has none', ago(8 * day), null],
    ['without a date is looked at again after a day', null, day],
    ['with a date in two years is as one without', ago(-730 * day), day],
  ])('%s', async (_age, publishDate, ttlSeconds) => {
    const error = await lacking(web(publishDate));
    expect(error).toMatchObject({ code: 'no_captions', data: { retryable: false } });
    expect(factTtlSeconds(error)).toBe(ttlSeconds);
  });

  it('is not ready while it is young, even if no second client can be asked', async () => {
    const { failure } = await setUp({ WEB: replyWith(web(ago(hour))) }, { clock: () => now });
    expect(await failure()).toMatchObject({ code: 'transcript_not_ready', data: { retryAfterSeconds: 1_800 } });
  });

  it('and whose broadcast has ended waits by the time of its end, and has none if that is long ago', async () => {
    const ended = { isPostLiveDvr: true, isLiveContent: true };
    const app = playable([], [], { videoDetails: { videoId: VIDEO_ID, ...ended } });
    const endedAt = (seconds: number) =>
      lacking(web(ago(200 * day), { startTimestamp: ago(199 * day), endTimestamp: ago(seconds) }, ended), app);
    expect(await endedAt(hour)).toMatchObject({
      code: 'transcript_not_ready',
      data: { retryAfterSeconds: hour },
    });
    expect(await endedAt(4 * hour)).toMatchObject({ data: { retryAfterSeconds: 2 * hour } });
    const old = await endedAt(120 * day);
    expect([old, isDurableVideoFact(old)]).toMatchObject([{ code: 'no_captions' }, true]);
  });
});
