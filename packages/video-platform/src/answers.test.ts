import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Cue } from '@tds/contracts';
import { answerSources } from '@tds/simulators/platform/answers';
import { factTtlSeconds, isDurableVideoFact } from './test-support/facts.ts';
import { listPlayers } from './test-support/players.ts';
import { catchError, html, type ReplayedPlatform, startReplay } from './test-support/replay.ts';
import { json3, playable, VIDEO_ID, wireTrack } from './test-support/wire.ts';
import { readCues } from './timedtext/read-captions.ts';
import { chooseTrack } from './tracks/choose-track.ts';

describe.each(answerSources)('answers through the whole adapter, $name', (answers) => {
  let replay: ReplayedPlatform;
  beforeAll(async () => {
    replay = await startReplay();
  });
  afterAll(() => replay.close());

  const inspect = (file: string, language = 'en') => {
    replay.use({ player: { body: answers.body(file) }, timedtext: { body: json3('x') } });
    const videoId = listPlayers(answers).find((row) => row.file === file)?.videoId ?? '';
    return replay.platform.inspectVideo(videoId, { language }, {});
  };
  const surface = 'player/nine-tracks';
  const collaborators = ['player/dubbed-android', 'player/dubbed-visionos'];

  it.each([surface, 'player/old-client', ...collaborators, 'player/speech-only'])(
    '%s has the same tracks, translations and details as for another reader',
    async (file) => {
      const { tracks, translation_languages, title, length_seconds, channel_id } = answers.reading(file);
      const inspection = await inspect(file);
      const seen = inspection.tracks.map(({ vssId, languageCode, kind }) => [vssId, languageCode, kind]);
      expect(seen).toEqual(
        tracks.map((track: Record<string, unknown>) => [track.vss_id, track.language_code, track.kind]),
      );
      expect(inspection.translationLanguages).toEqual(translation_languages);
      expect(inspection.video).toMatchObject({ title, duration: length_seconds, channel_id });
    },
  );

  it.each([
    ['player/bot-check', 'ip_blocked', false, null],
    ['player/unavailable', 'video_unavailable', true, null],
    // Without a date they may be new.
    ['player/no-captions', 'no_captions', false, 86_400],
    ['player/private-by-subreason', 'video_unavailable', true, null],
    ['player/old-client-no-captions', 'no_captions', false, 86_400],
    ['player/private', 'video_unavailable', true, null],
    ['player/members-only', 'video_unavailable', true, null],
  ])('%s means %s', async (file, code, isDurable, ttlSeconds) => {
    const error = await catchError(inspect(file));
    expect(error).toMatchObject({ code });
    expect(isDurableVideoFact(error)).toBe(isDurable);
    expect(factTtlSeconds(error)).toBe(ttlSeconds);
  });

  it('chooses the same tracks as another reader of the same bytes', async () => {
    const inspection = await inspect(surface, 'xyz');
    const pick = (language: string) => chooseTrack(inspection, { language, fallback: false });
    expect(pick('de')).toMatchObject({ track: { vssId: '.de' }, translation: 'not_requested' });
    expect(pick('ar')).toMatchObject({ translateTo: 'ar', translation: 'served' });
    expect(() => pick('xyz')).toThrow('no captions in that language');
    expect(chooseTrack(inspection, { language: 'xyz', fallback: true }).track.vssId).toBe('.en');
  });

  it('requests a translation with tlang, once', async () => {
    const inspection = await inspect(surface, 'ar');
    const choice = chooseTrack(inspection, { language: 'ar', fallback: false });
    await replay.platform.fetchTrack(inspection, choice, {}, readCues);
    const asked = replay.requests.at(-1)?.url.searchParams;
    expect([asked?.getAll('tlang'), asked?.getAll('fmt'), asked?.get('lang')]).toEqual([
      ['ar'],
      ['json3'],
      'en',
    ]);
  });

  it('finds the original language of a dubbed video', async () => {
    for (const file of collaborators) {
      const inspection = await inspect(file, 'xyz');
      expect(chooseTrack(inspection, { language: 'xyz', fallback: true }).track.languageCode).toBe('en-US');
      expect(inspection.tracks.find((track) => track.kind === 'asr')?.isDefaultAudio).toBe(true);
    }
  });

  it('needs a token for the gated track only', async () => {
    const inspection = await inspect('player/gated-track');
    const fetch = (language: string) =>
      replay.platform.fetchTrack(
        inspection,
        chooseTrack(inspection, { language, fallback: false }),
        {},
        readCues,
      );
    expect(await catchError(fetch('en'))).toMatchObject({ code: 'po_token_required' });
    for (const language of ['zh', 'cs', 'de', 'hi', 'ja', 'ko', 'es'])
      expect(await fetch(language)).toHaveLength(1);
  });

  it.each(['player', 'watch'] as const)(
    'repeats the request with the cookie of the consent page (%s)',
    async (endpoint) => {
      const page = answers.body('page/consent');
      replay.use({ [endpoint]: html(page) });
      expect(await catchError(replay.platform.inspectVideo(VIDEO_ID, { language: 'en' }, {}))).toMatchObject({
        code: 'upstream_error',
      });
      expect(replay.requests.at(-1)?.headers.cookie).toBe(
        `SOCS=CAI; CONSENT=YES+${/name="v" value="([^"]+)"/.exec(page)?.[1]}`,
      );
    },
  );

  it.each([200, 429])('classifies the captcha page as a block (status %d)', async (status) => {
    const page = {
      ...html(answers.body('page/captcha')),
      status,
    };
    replay.use({ player: page, watch: page });
    expect(await catchError(replay.platform.inspectVideo(VIDEO_ID, { language: 'en' }, {}))).toMatchObject({
      code: 'ip_blocked',
    });
  });

  const cuesIn = async (file: string) => {
    replay.use({ player: { body: playable([wireTrack('en')]) }, timedtext: { body: answers.body(file) } });
    const inspection = await replay.platform.inspectVideo(VIDEO_ID, { language: 'en' }, {});
    return replay.platform.fetchTrack(
      inspection,
      chooseTrack(inspection, { language: 'en', fallback: true }),
      {},
      readCues,
    );
  };

  it.each(['captions/speech.json3', 'captions/manual.json3', 'captions/manual.srv3'])(
    '%s has the same cues as for another reader',
    async (file) => {
      const expected: { cues: { start_ms: number; duration_ms: number; text: string }[] } =
        answers.reading(file);
      expect((await cuesIn(file)).map(({ words: _, ...cue }) => cue)).toEqual(
        expected.cues.map((cue) => ({ startMs: cue.start_ms, durationMs: cue.duration_ms, text: cue.text })),
      );
    },
  );

  it('reads the words of speech with times that never go back, and none of manual captions', async () => {
    const withoutSpace = (text = '') => text.replaceAll(/\s/g, '');
    for (const { text, startMs, words } of await cuesIn('captions/speech.json3')) {
      expect(withoutSpace(words?.map((word) => word.text).join(''))).toBe(withoutSpace(text));
      const times = words?.map((word) => word.startMs) ?? [];
      expect(times).toEqual(times.toSorted((one, other) => one - other));
      expect(times[0]).toBeGreaterThanOrEqual(startMs);
    }
    for (const cue of await cuesIn('captions/manual.json3')) expect(cue).not.toHaveProperty('words');
  });

  const timesOf = (cues: readonly Cue[]) => cues.map(({ startMs, durationMs }) => [startMs, durationMs]);

  it('reads srv1 with overlaps, markup and empty rows', async () => {
    const overlapping = await cuesIn('captions/speech.srv1');
    expect(timesOf(overlapping.slice(0, 2))).toEqual([
      [0, 3600],
      [2320, 3600],
    ]);
    expect(overlapping).toHaveLength(13);
    expect(overlapping[0]?.text).toMatch(/^[a-z ]+'[a-z ]+'[a-z]$/);
    const marked = await cuesIn('captions/marked.srv1');
    expect(timesOf(marked)).toEqual([
      [0, 1540],
      [1540, 4160],
      [5700, 3239],
    ]);
    expect(marked[1]?.text).toMatch(/^[a-z]+( [a-z]+){5}$/);
  });
});
