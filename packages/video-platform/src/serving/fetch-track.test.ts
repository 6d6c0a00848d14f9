import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { defaultStrategies } from '../config/strategies.ts';
import type { Received, Scripted } from '../test-support/scripted-platform.ts';
import { captions, closeAll, replyWith, type Script, setUp } from '../test-support/set-up.ts';
import { json3, playable, speech, VIDEO_ID, wireCaptions, wireTrack } from '../test-support/wire.ts';
import { costlyCaptions, readCues } from '../timedtext/read-captions.ts';
import { chooseTrack } from '../tracks/choose-track.ts';
import type { VideoPlatformOptions } from '../types.ts';

afterEach(closeAll);

const english = playable([wireTrack('en')]);

describe('fetchTrack', () => {
  const gated = wireTrack('en', { baseUrl: 'https://x.example/api/timedtext?lang=en&exp=a,xpe' });
  const fetchFrom = async (script: Script, language = 'en', options: Partial<VideoPlatformOptions> = {}) => {
    const tools = await setUp(script, options);
    const inspection = await tools.inspect(language);
    const choice = chooseTrack(inspection, { language, fallback: true });
    return { ...tools, choice, cues: tools.platform.fetchTrack(inspection, choice, {}, readCues) };
  };

  it('downloads json3 from the configured origin, whatever host the address names', async () => {
    const { cues, server } = await fetchFrom({ ANDROID: replyWith(english), timedtext: captions });
    expect(await cues).toEqual([
      { startMs: 0, durationMs: 900, text: 'one' },
      { startMs: 1000, durationMs: 900, text: 'two' },
    ]);
    expect(server.requests.at(-1)?.url.searchParams.getAll('fmt')).toEqual(['json3']);
  });

  it('takes the address of another client if the first is gated', async () => {
    const { cues, outcomes } = await fetchFrom({
      ANDROID: replyWith(playable([gated])),
      VISIONOS: replyWith(english),
      timedtext: captions,
    });
    expect(await cues).toHaveLength(2);
    expect(outcomes()).toEqual(['android ok', 'visionos ok', 'visionos ok']);
  });

  it('downloads the chosen one of two tracks that differ in their audio alone', async () => {
    const spoken = (audio: string) =>
      speech('en', { baseUrl: `https://x.example/api/timedtext?lang=en&audio=${audio}` });
    const tracks = [spoken('described'), spoken('original')];
    const audioTracks = ['en-US.2', 'en-US.4'].map((audioTrackId, at) => ({
      audioTrackId,
      captionTrackIndices: [at],
      defaultCaptionTrackIndex: at,
    }));
    const described = wireCaptions(tracks, [], { audioTracks, defaultAudioTrackIndex: 1 });
    const android = replyWith(playable(tracks, [], { captions: described }));
    for (const language of ['en', 'orig']) {
      const { cues, server } = await fetchFrom({ ANDROID: android, timedtext: captions }, language);
      await cues;
      expect(server.requests.at(-1)?.url.searchParams.get('audio')).toBe('original');
    }
  });

  it('needs a token if every address is gated', async () => {
    const one = defaultStrategies.slice(0, 1);
    const { cues } = await fetchFrom({ ANDROID: replyWith(playable([gated])) }, 'en', { strategies: one });
    await expect(cues).rejects.toMatchObject({ code: 'po_token_required', data: { retryable: false } });
  });

  it('downloads a gated track with a token of the provider', async () => {
    const poToken = { tokenFor: async () => 'secret', discard: () => undefined };
    const { cues, server } = await fetchFrom(
      { ANDROID: replyWith(playable([gated])), timedtext: captions },
      'en',
      { poToken },
    );
    await cues;
    const asked = server.requests.at(-1)?.url.searchParams;
    expect([asked?.get('pot'), asked?.get('potc'), asked?.get('c')]).toEqual(['secret', '1', 'ANDROID']);
  });

  it('reports a refused translation, and asks no other route', async () => {
    const throttle = (asked: Received): Scripted =>
      asked.url.searchParams.has('tlang') ? { status: 429, headers: { 'retry-after': '90' } } : captions();
    const tools = await fetchFrom(
      { ANDROID: replyWith(playable([wireTrack('en')], ['es'])), timedtext: throttle },
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
    expect(await tools.platform.fetchTrack(inspection, fallbackChoice, {}, readCues)).toHaveLength(2);
  });

  it.each<[string, Scripted, number]>([
    ['nothing', { body: '' }, 2],
    ['no words', { body: json3('\n', ' ') }, 2],
    ['a page', { headers: { 'content-type': 'text/html' }, body: '<html><title>Sorry...</title></html>' }, 2],
    ['garbage', { body: '{"events":' }, 2],
    ['a server error', { status: 500 }, 2],
    ['a refusal', { status: 403 }, 2],
    ['a limit', { status: 429 }, 1],
  ])(
    'takes %s for a translation as a refusal to translate, and goes on with captions',
    async (_what, answer, tries) => {
      const source = replyWith(playable([wireTrack('en')], ['es']));
      const { platform, attempts } = await setUp({
        ANDROID: source,
        VISIONOS: source,
        timedtext: ({ url }) => (url.searchParams.has('tlang') ? answer : captions()),
      });
      const callers = ['one', 'two', 'three', 'four', 'five', 'six'];
      for (const callerId of callers) {
        const inspection = await platform.inspectVideo(VIDEO_ID, { language: 'es' }, { callerId });
        const choice = chooseTrack(inspection, { language: 'es', fallback: true });
        const call = { callerId };
        await expect(platform.fetchTrack(inspection, choice, call, readCues)).rejects.toMatchObject({
          code: 'translation_refused',
          data: { retryable: true },
        });
      }
      expect(attempts.filter(({ endpoint }) => endpoint === 'timedtext')).toHaveLength(tries * callers.length);
      expect(platform.strategyHealth().every(({ lastFailureAt }) => lastFailureAt === null)).toBe(true);
      const inspection = await platform.inspectVideo(VIDEO_ID, { language: 'en' }, {});
      const choice = chooseTrack(inspection, { language: 'en', fallback: true });
      expect(await platform.fetchTrack(inspection, choice, {}, readCues)).toHaveLength(2);
    },
  );

  it('reports a track without a word as no captions for a while, once a second address has none either', async () => {
    const script = { ANDROID: replyWith(english), VISIONOS: replyWith(english) };
    const wordless = await fetchFrom({ ...script, timedtext: replyWith(json3('\n')) });
    const error = await wordless.cues.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'no_captions', fact: { kind: 'short_lived' } });
    expect(wordless.outcomes().filter((outcome) => outcome.endsWith('captions_without_text'))).toHaveLength(2);
    let asked = 0;
    const later = await fetchFrom({
      ...script,
      timedtext: () => {
        asked += 1;
        return asked === 1 ? { body: json3('\n') } : captions();
      },
    });
    expect(await later.cues).toHaveLength(2);
  });

  it('does not blame a route if its own reader is slow or runs out of memory', async () => {
    const attemptMs = 2_000;
    const { platform, inspect, outcomes } = await setUp(
      { ANDROID: replyWith(english), timedtext: captions },
      { limits: { attemptMs }, strategies: defaultStrategies.slice(0, 1) },
    );
    const inspection = await inspect();
    const choice = chooseTrack(inspection, { language: 'en', fallback: true });
    const slowly: typeof readCues = async (body, signal) => {
      await delay(attemptMs + 100);
      return await readCues(body, signal);
    };
    expect(await platform.fetchTrack(inspection, choice, {}, slowly)).toHaveLength(2);
    for (const callerId of ['one', 'two', 'three', 'four'])
      await expect(
        platform.fetchTrack(inspection, choice, { callerId }, async () => costlyCaptions),
      ).rejects.toMatchObject({ code: 'upstream_error' });
    expect(outcomes().slice(1, 3)).toEqual(['android ok', 'android too_costly']);
    expect(platform.strategyHealth().every((route) => route.lastFailureAt === null)).toBe(true);
  });

  it('renews an expired address', async () => {
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
    expect(server.requests.at(-1)?.url.searchParams.get('expire')).toBe('4000000000');
  });

  it('rejects an inspection that it did not make', async () => {
    const { platform, inspect } = await setUp({ ANDROID: replyWith(english) });
    const inspection = await inspect();
    const copy = JSON.parse(JSON.stringify(inspection));
    const choice = chooseTrack(copy, { language: 'en', fallback: true });
    await expect(platform.fetchTrack(copy, choice, {}, readCues)).rejects.toMatchObject({
      code: 'upstream_error',
    });
    expect(JSON.stringify(inspection)).not.toContain('timedtext');
  });
});
