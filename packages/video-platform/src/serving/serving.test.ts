import { afterEach, describe, expect, it } from '@jest/globals';
import { defaultStrategies } from '../config/strategies.ts';
import { createVideoPlatform } from '../create-video-platform.ts';
import { factTtlSeconds, isDurableVideoFact } from '../errors/platform-error.ts';
import { type Asked, type Scripted, startScriptedPlatform } from '../testing/scripted-platform.ts';
import { json3, playable, refusedBy, VIDEO_ID, wireTrack } from '../testing/wire.ts';
import { chooseTrack } from '../tracks/choose-track.ts';
import type { AttemptRecord, VideoPlatformOptions } from '../types.ts';

type Script = Readonly<Record<string, (asked: Asked) => Scripted>>;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

const says = (body: string) => (): Scripted => ({ body });
const captions = says(json3('one', 'two'));
const missing = (): Scripted => ({ status: 500 });

/** A platform whose clients, watch page and captions say what the script says; what it does not name fails. */
const setUp = async (script: Script, options: Partial<VideoPlatformOptions> = {}) => {
  const server = await startScriptedPlatform((asked) => {
    const name = asked.client || asked.url.pathname.split('/').at(-1) || '';
    return (script[name] ?? missing)(asked);
  });
  const attempts: AttemptRecord[] = [];
  const platform = createVideoPlatform({
    origin: server.origin,
    onAttempt: (attempt) => attempts.push(attempt),
    ...options,
  });
  closing.push(() => platform.close(), server.close);
  const inspect = (language = 'en', signal?: AbortSignal) =>
    platform.inspectVideo(VIDEO_ID, { language }, signal === undefined ? {} : { signal });
  const outcomes = () => attempts.map((attempt) => `${attempt.strategy} ${attempt.outcome}`);
  const failure = async (language?: string): Promise<unknown> =>
    inspect(language).then(
      () => Promise.reject(new Error('nothing was thrown')),
      (thrown) => thrown,
    );
  return { server, platform, inspect, failure, attempts, outcomes };
};

const english = playable([wireTrack('en')]);
const silent = playable([]);
const gone = refusedBy('ERROR', 'This video is unavailable');
const blocked = refusedBy('LOGIN_REQUIRED', 'Sign in to confirm you\u2019re not a bot');

describe('inspectVideo', () => {
  it('takes the first healthy strategy in configured order', async () => {
    const { inspect, outcomes } = await setUp({ ANDROID: says(english), VISIONOS: says(english) });
    expect(await inspect()).toMatchObject({ strategy: 'android', exit: 'direct', broadcast: 'none' });
    expect(outcomes()).toEqual(['android ok']);
  });

  it('refuses what is no video id before anything is sent', async () => {
    const { platform, attempts } = await setUp({});
    await expect(platform.inspectVideo('../etc?x=1', { language: 'en' }, {})).rejects.toMatchObject({
      code: 'invalid_video_id',
    });
    expect(attempts).toEqual([]);
  });

  it('calls a video unavailable when two clients agree, and not before', async () => {
    const { failure, outcomes } = await setUp({ ANDROID: says(gone), VISIONOS: says(gone) });
    const error = await failure();
    expect(error).toMatchObject({ code: 'video_unavailable' });
    expect(isDurableVideoFact(error)).toBe(true);
    expect(outcomes()).toEqual(['android unavailable', 'visionos unavailable']);
  });

  it('does not take two rows of one client for two witnesses', async () => {
    const rows = defaultStrategies.filter((row) => row.client === 'WEB');
    const { failure, outcomes } = await setUp({ WEB: says(gone) }, { strategies: rows });
    const error = await failure();
    expect(error).toMatchObject({ code: 'upstream_error' });
    expect(isDurableVideoFact(error)).toBe(false);
    expect(outcomes()).toEqual(['web unavailable']);
  });

  it('serves the video that only one client refuses', async () => {
    const { inspect } = await setUp({ ANDROID: says(gone), VISIONOS: says(english) });
    expect(await inspect()).toMatchObject({ strategy: 'visionos' });
  });

  it('reports the route’s failure where nobody could confirm the refusal', async () => {
    const { failure } = await setUp({ ANDROID: says(gone), VISIONOS: says(blocked) });
    const error = await failure();
    expect(error).toMatchObject({ code: 'ip_blocked', data: { retryable: true } });
    expect(isDurableVideoFact(error)).toBe(false);
  });

  it('keeps a refusal in unknown words for a while only, though two agree', async () => {
    const words = refusedBy('UNPLAYABLE', 'Something never heard before');
    const { failure } = await setUp({ ANDROID: says(words), VISIONOS: says(gone) });
    const error = await failure();
    expect(error).toMatchObject({ code: 'video_unavailable' });
    expect(isDurableVideoFact(error)).toBe(false);
    expect(factTtlSeconds(error)).toBe(3600);
  });

  it('believes in no captions when a second client sees none, and keeps the title', async () => {
    const { failure } = await setUp({ ANDROID: says(silent), VISIONOS: says(silent) });
    const error = await failure();
    expect(error).toMatchObject({ code: 'no_captions', video: { title: 'A title', duration: 61 } });
    expect(isDurableVideoFact(error)).toBe(true);
  });

  it('keeps unconfirmed silence for a while only', async () => {
    const { failure } = await setUp({ ANDROID: says(silent) });
    const error = await failure();
    expect(error).toMatchObject({ code: 'no_captions' });
    expect(isDurableVideoFact(error)).toBe(false);
    expect(factTtlSeconds(error)).toBe(3600);
  });

  it('finds the captions that the first client does not show', async () => {
    const { inspect } = await setUp({ ANDROID: says(silent), VISIONOS: says(english) });
    expect(await inspect()).toMatchObject({ strategy: 'visionos', tracks: [{ languageCode: 'en' }] });
  });

  it('leaves an exit alone after two clients were blocked there', async () => {
    const { failure, outcomes } = await setUp({
      ANDROID: says(blocked),
      VISIONOS: says(blocked),
      WEB: says(english),
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

  it('shows the consent cookie once asked for, to this and later requests', async () => {
    const form =
      '<form action="https://consent.youtube.com/s" method="POST"><input type="hidden" name="v" value="cb.2-p0.de+FX+1"></form>';
    const consent = (asked: Asked): Scripted =>
      asked.headers.cookie === undefined
        ? { headers: { 'content-type': 'text/html' }, body: form }
        : { body: english };
    const { inspect, server } = await setUp({ ANDROID: consent });
    await inspect();
    await inspect();
    expect(server.asked.map((asked) => asked.headers.cookie)).toEqual([
      undefined,
      'CONSENT=YES+cb.2-p0.de+FX+1',
      'CONSENT=YES+cb.2-p0.de+FX+1',
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

  it('ends with the caller, and that is no strategy’s failure', async () => {
    const caller = new AbortController();
    const never = new Promise<Scripted>(() => undefined);
    const server = await startScriptedPlatform(() => {
      caller.abort();
      return never;
    });
    const platform = createVideoPlatform({ origin: server.origin });
    closing.push(() => platform.close(), server.close);
    const call = { signal: caller.signal };
    await expect(platform.inspectVideo(VIDEO_ID, { language: 'en' }, call)).rejects.toMatchObject({
      code: 'upstream_error',
    });
    expect(server.asked).toHaveLength(1);
    expect(platform.strategyHealth().every((route) => route.lastFailureAt === null)).toBe(true);
  });

  it('survives an observer that throws', async () => {
    const { inspect } = await setUp(
      { ANDROID: says(english) },
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

  it('are completed by further strategies only where the wanted language is missing', async () => {
    const { inspect, outcomes } = await setUp({
      ANDROID: says(offering('de')),
      VISIONOS: says(offering('es', 'fr')),
    });
    expect(await inspect('de')).toMatchObject({ translationLanguages: ['de'] });
    expect(outcomes()).toEqual(['android ok']);
    expect(await inspect('es')).toMatchObject({
      strategy: 'android',
      translationLanguages: ['de', 'es', 'fr'],
      translationsComplete: true,
    });
  });

  it('end with what is known when the further strategies fail: nothing is concluded from one list', async () => {
    const { inspect } = await setUp({ ANDROID: says(offering('de')) });
    expect(await inspect('es')).toMatchObject({ translationLanguages: ['de'], translationsComplete: false });
  });

  it('take details from clients that know more', async () => {
    const microformat = { playerMicroformatRenderer: { publishDate: '2008-09-22' } };
    const { inspect } = await setUp({
      ANDROID: says(offering('de')),
      WEB: says(playable([wireTrack('en')], ['es'], { microformat })),
    });
    expect((await inspect('es')).video.published_at).toBe('2008-09-22');
  });
});

describe('fetchTrack', () => {
  const gated = wireTrack('en', { baseUrl: 'https://x.example/api/timedtext?lang=en&exp=a,xpe' });
  const fetchFrom = async (script: Script, language = 'en', options: Partial<VideoPlatformOptions> = {}) => {
    const tools = await setUp(script, options);
    const inspection = await tools.inspect(language);
    const choice = chooseTrack(inspection, { language, fallback: true });
    return { ...tools, choice, cues: tools.platform.fetchTrack(inspection, choice, {}) };
  };

  it('downloads json3 from the platform’s own origin, whatever host the address names', async () => {
    const { cues, server } = await fetchFrom({ ANDROID: says(english), timedtext: captions });
    expect(await cues).toEqual([
      { startMs: 0, durationMs: 900, text: 'one' },
      { startMs: 1000, durationMs: 900, text: 'two' },
    ]);
    expect(server.asked.at(-1)?.url.searchParams.getAll('fmt')).toEqual(['json3']);
  });

  it('takes another client’s address of the same track where the first is gated', async () => {
    const { cues, outcomes } = await fetchFrom({
      ANDROID: says(playable([gated])),
      VISIONOS: says(english),
      timedtext: captions,
    });
    expect(await cues).toHaveLength(2);
    expect(outcomes()).toEqual(['android ok', 'visionos ok', 'visionos ok']);
  });

  it('needs a token where every address is gated', async () => {
    const one = defaultStrategies.slice(0, 1);
    const { cues } = await fetchFrom({ ANDROID: says(playable([gated])) }, 'en', { strategies: one });
    await expect(cues).rejects.toMatchObject({ code: 'po_token_required', data: { retryable: false } });
  });

  it('opens the gate with a provider’s token', async () => {
    const poToken = { tokenFor: async () => 'secret' };
    const { cues, server } = await fetchFrom(
      { ANDROID: says(playable([gated])), timedtext: captions },
      'en',
      { poToken },
    );
    await cues;
    const asked = server.asked.at(-1)?.url.searchParams;
    expect([asked?.get('pot'), asked?.get('potc'), asked?.get('c')]).toEqual(['secret', '1', 'ANDROID']);
  });

  it('says that only the translation is refused, and asks nobody else', async () => {
    const throttle = (asked: Asked): Scripted =>
      asked.url.searchParams.has('tlang') ? { status: 429, headers: { 'retry-after': '90' } } : captions();
    const tools = await fetchFrom(
      { ANDROID: says(playable([wireTrack('en')], ['es'])), timedtext: throttle },
      'es',
    );
    await expect(tools.cues).rejects.toMatchObject({
      code: 'translation_refused',
      errorClass: 'RateLimited',
      data: { retryAfterSeconds: 90 },
    });
    expect(tools.outcomes()).toEqual(['android ok', 'android translation_throttled']);
    expect(tools.platform.strategyHealth().every((route) => route.lastFailureAt === null)).toBe(true);
    const inspection = await tools.inspect('es');
    const { fallbackChoice } = tools.choice;
    if (fallbackChoice === null) throw new Error('no fallback');
    expect(await tools.platform.fetchTrack(inspection, fallbackChoice, {})).toHaveLength(2);
  });

  it('renews an address that is over', async () => {
    let asked = 0;
    const dated = (): Scripted => {
      asked += 1;
      const expire = asked === 1 ? 1_000_000_000 : 4_000_000_000;
      return {
        body: playable([wireTrack('en', { baseUrl: `https://x.example/api/timedtext?expire=${expire}` })]),
      };
    };
    const { cues, server } = await fetchFrom({ ANDROID: dated, timedtext: captions });
    expect(await cues).toHaveLength(2);
    expect(server.asked.at(-1)?.url.searchParams.get('expire')).toBe('4000000000');
  });

  it('refuses an inspection that it did not make', async () => {
    const { platform, inspect } = await setUp({ ANDROID: says(english) });
    const inspection = await inspect();
    const copy = JSON.parse(JSON.stringify(inspection));
    const choice = chooseTrack(copy, { language: 'en', fallback: true });
    await expect(platform.fetchTrack(copy, choice, {})).rejects.toMatchObject({ code: 'upstream_error' });
    expect(JSON.stringify(inspection)).not.toContain('timedtext');
  });
});
