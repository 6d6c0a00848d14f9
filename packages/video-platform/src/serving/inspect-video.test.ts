import { afterEach, describe, expect, it } from '@jest/globals';
import { defaultStrategies } from '../config/strategies.ts';
import { isDurableVideoFact } from '../test-support/facts.ts';
import { type Received, type Scripted, startScriptedPlatform } from '../test-support/scripted-platform.ts';
import { closeAll, closeLater, replyWith, setUp } from '../test-support/set-up.ts';
import { playable, refusedBy, VIDEO_ID, wireTrack } from '../test-support/wire.ts';
import { createVideoPlatform } from '../video-platform.ts';

afterEach(closeAll);

const english = playable([wireTrack('en')]);
const silent = playable([]);
const gone = refusedBy('ERROR', 'This video is unavailable');
const blocked = refusedBy('LOGIN_REQUIRED', 'Sign in to confirm you\u2019re not a bot');

describe('inspectVideo', () => {
  it('uses the first healthy strategy in configured order', async () => {
    const { inspect, outcomes } = await setUp({ ANDROID: replyWith(english), VISIONOS: replyWith(english) });
    expect(await inspect()).toMatchObject({ strategy: 'android', exit: 'direct', broadcast: 'none' });
    expect(outcomes()).toEqual(['android ok']);
  });

  it('rejects an invalid video id before a request', async () => {
    const { platform, attempts } = await setUp({});
    await expect(platform.inspectVideo('../etc?x=1', { language: 'en' }, {})).rejects.toMatchObject({
      code: 'invalid_video_id',
    });
    expect(attempts).toEqual([]);
  });

  it('does not count two rows of one client as two witnesses', async () => {
    const rows = defaultStrategies.filter((row) => row.client === 'WEB');
    const { failure, outcomes } = await setUp({ WEB: replyWith(gone) }, { strategies: rows });
    const error = await failure();
    expect(error).toMatchObject({ code: 'upstream_error' });
    expect(isDurableVideoFact(error)).toBe(false);
    expect(outcomes()).toEqual(['web unavailable']);
  });

  it('serves a video that only one client refuses', async () => {
    const { inspect } = await setUp({ ANDROID: replyWith(gone), VISIONOS: replyWith(english) });
    expect(await inspect()).toMatchObject({ strategy: 'visionos' });
  });

  it('reports the failure of the route if no other client could confirm a refusal', async () => {
    const { failure } = await setUp({
      ANDROID: replyWith(gone),
      WEB: replyWith(blocked),
      VISIONOS: replyWith(blocked),
    });
    const error = await failure();
    expect(error).toMatchObject({ code: 'ip_blocked', data: { retryable: true } });
    expect(isDurableVideoFact(error)).toBe(false);
  });

  it('finds captions that the first client does not show', async () => {
    const { inspect } = await setUp({ ANDROID: replyWith(silent), VISIONOS: replyWith(english) });
    expect(await inspect()).toMatchObject({ strategy: 'visionos', tracks: [{ languageCode: 'en' }] });
  });

  it('avoids an exit after two clients were blocked there', async () => {
    const { failure, outcomes } = await setUp({
      ANDROID: replyWith(blocked),
      VISIONOS: replyWith(blocked),
      WEB: replyWith(english),
    });
    expect(await failure()).toMatchObject({ code: 'ip_blocked' });
    expect(outcomes()).toEqual(['android bot_check', 'visionos bot_check']);
  });

  it('reads the watch page when all else fails', async () => {
    const page = `<!DOCTYPE html><script>var ytInitialPlayerResponse = ${english};</script>`;
    const { inspect } = await setUp({
      watch: () => ({ headers: { 'content-type': 'text/html' }, body: page }),
    });
    expect(await inspect()).toMatchObject({ strategy: 'watch_page' });
  });

  it.each([
    ['of before 2023', 's', /CONSENT=YES/],
    ['of today', 'save', /SOCS=CA/],
  ])('passes the consent page %s with a cookie, on this and later requests', async (_of, action, cookie) => {
    const form = `<form action="https://consent.youtube.com/${action}" method="POST"><input type="hidden" name="v" value="cb.2-p0.de+FX+1"></form>`;
    const consent = (asked: Received): Scripted =>
      cookie.test(asked.headers.cookie ?? '')
        ? { body: english }
        : { headers: { 'content-type': 'text/html' }, body: form };
    const { inspect, server } = await setUp({ ANDROID: consent });
    await inspect();
    await inspect();
    expect(server.requests.map((asked) => asked.headers.cookie)).toEqual([
      undefined,
      'SOCS=CAI; CONSENT=YES+cb.2-p0.de+FX+1',
      'SOCS=CAI; CONSENT=YES+cb.2-p0.de+FX+1',
    ]);
  });

  it('gives up on consent after one cookie', async () => {
    const redirect = (): Scripted => ({
      status: 302,
      headers: { location: 'https://consent.youtube.com/m?continue=x' },
    });
    const { failure, attempts } = await setUp(
      { ANDROID: redirect },
      { strategies: defaultStrategies.slice(0, 1) },
    );
    expect(await failure()).toMatchObject({ code: 'upstream_error' });
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['consent_redirect', 'consent_redirect']);
  });

  it('ends with the caller, without a failure of the strategy', async () => {
    const caller = new AbortController();
    const never = new Promise<Scripted>(() => undefined);
    const server = await startScriptedPlatform(() => {
      caller.abort();
      return never;
    });
    const platform = createVideoPlatform({ origin: server.origin });
    closeLater(() => platform.close(), server.close);
    const call = { signal: caller.signal };
    await expect(platform.inspectVideo(VIDEO_ID, { language: 'en' }, call)).rejects.toMatchObject({
      code: 'upstream_error',
    });
    expect(server.requests).toHaveLength(1);
    expect(platform.strategyHealth().every((route) => route.lastFailureAt === null)).toBe(true);
  });

  it('reads JSON whatever content type it claims', async () => {
    const claim = (): Scripted => ({ headers: { 'content-type': 'text/html' }, body: english });
    const { inspect } = await setUp({ ANDROID: claim });
    expect(await inspect()).toMatchObject({ strategy: 'android' });
  });

  it('survives an observer that throws', async () => {
    const { inspect } = await setUp(
      { ANDROID: replyWith(english) },
      {
        onAttempt: () => {
          throw new Error('observer');
        },
      },
    );
    expect(await inspect()).toMatchObject({ strategy: 'android' });
  });
});

describe('translation lists', () => {
  const offering = (...codes: string[]) => playable([wireTrack('en')], codes);

  it('are completed by further strategies only if the wanted language is missing', async () => {
    const { inspect, outcomes } = await setUp({
      ANDROID: replyWith(offering('de')),
      VISIONOS: replyWith(offering('es', 'fr')),
    });
    expect(await inspect('de')).toMatchObject({ translationLanguages: ['de'] });
    expect(outcomes()).toEqual(['android ok']);
    expect(await inspect('es')).toMatchObject({
      strategy: 'android',
      translationLanguages: ['de', 'es', 'fr'],
      translationsComplete: true,
    });
  });

  it('stay incomplete if the further strategies fail: one list proves nothing', async () => {
    const { inspect } = await setUp({ ANDROID: replyWith(offering('de')) });
    expect(await inspect('es')).toMatchObject({ translationLanguages: ['de'], translationsComplete: false });
  });

  it('take details from clients that have more', async () => {
    const microformat = { playerMicroformatRenderer: { publishDate: '2008-09-22' } };
    const { inspect } = await setUp({
      ANDROID: replyWith(offering('de')),
      WEB: replyWith(playable([wireTrack('en')], ['es'], { microformat })),
    });
    expect((await inspect('es')).video.published_at).toBe('2008-09-22');
  });
});
