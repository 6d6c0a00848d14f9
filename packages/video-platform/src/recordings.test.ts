import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { factTtlSeconds, isDurableVideoFact } from './errors/platform-error.ts';
import {
  describeWithRecordings,
  playerRecordings,
  recordedPlayer,
  recording,
} from './test-support/recordings.ts';
import { html, type ReplayedPlatform, startReplay, thrownBy } from './test-support/replay.ts';
import { json3, playable, VIDEO_ID, wireTrack } from './test-support/wire.ts';
import { chooseTrack } from './tracks/choose-track.ts';

describeWithRecordings('recorded answers, through the whole adapter', () => {
  let replay: ReplayedPlatform;
  beforeAll(async () => {
    replay = await startReplay();
  });
  afterAll(() => replay.close());

  const inspect = (file: string, language = 'en') => {
    replay.use({ player: { body: recordedPlayer(file) }, timedtext: { body: json3('x') } });
    const videoId = playerRecordings.find((row) => row.file === file)?.videoId ?? '';
    return replay.platform.inspectVideo(videoId, { language }, {});
  };
  const surface = 'youtube-transcript-api/youtube.innertube.json.static';
  const collaborators = ['1', '3'].map((part) => `newpipe-extractor/player/collaborators.${part}.json`);

  it.each([
    [surface, 9, 18, 'Surface Go Review - It\u2019s Awesome', 316],
    ['pytubefix/QRS8MkLhQmM.player.json', 13, 125, 'YouTube Captions and Subtitles', 97],
    [collaborators[0] ?? '', 36, 18, 'Engineers vs Pumpkin Carving 2.0', 696],
    [collaborators[1] ?? '', 36, 156, 'Engineers vs Pumpkin Carving 2.0', 696],
    [
      'newpipe-extractor/player/publicbroadcaster.1.json',
      1,
      1,
      "Merci pour les 3 millions d'abonn\u00e9s \ud83c\udf89| ARTE",
      45,
    ],
  ])('%s lists %d tracks and %d translations', async (file, tracks, translations, title, duration) => {
    const inspection = await inspect(file);
    expect(inspection.tracks).toHaveLength(tracks);
    expect(inspection.translationLanguages).toHaveLength(translations);
    expect(inspection.video).toMatchObject({ title, duration });
  });

  it.each([
    ['youtube-transcript-api/youtube_request_blocked.innertube.json.static', 'ip_blocked', false],
    ['youtube-transcript-api/youtube_video_unavailable.innertube.json.static', 'video_unavailable', true],
    ['youtube-transcript-api/youtube_transcripts_disabled.innertube.json.static', 'no_captions', true],
    ['pytubefix/m8uHb5jIGN8.player.json', 'video_unavailable', true],
    ['pytubefix/WXxV9g7lsFE.player.json', 'no_captions', true],
    ['newpipe-extractor/player/notavailable-privatecontent.1.json', 'video_unavailable', true],
    ['newpipe-extractor/player/notavailable-paidcontent.1.json', 'video_unavailable', true],
  ])('%s means %s', async (file, code, isDurable) => {
    const error = await thrownBy(inspect(file));
    expect(error).toMatchObject({ code });
    expect(isDurableVideoFact(error)).toBe(isDurable);
    expect(factTtlSeconds(error)).toBeNull();
  });

  it('picks the tracks that a reader of the same bytes picks', async () => {
    const inspection = await inspect(surface, 'xyz');
    const pick = (language: string) => chooseTrack(inspection, { language, fallback: false });
    expect(inspection.tracks.map((track) => track.vssId)).toEqual([
      '.zh',
      '.cs',
      '.en',
      'a.en',
      '.de',
      '.hi',
      '.ja',
      '.ko',
      '.es',
    ]);
    expect(pick('de')).toMatchObject({ track: { vssId: '.de' }, translation: 'not_requested' });
    expect(pick('ar')).toMatchObject({ translateTo: 'ar', translation: 'served' });
    expect(() => pick('xyz')).toThrow('no captions in that language');
    expect(chooseTrack(inspection, { language: 'xyz', fallback: true }).track.vssId).toBe('.en');
  });

  it('asks for a translation with tlang, once', async () => {
    const inspection = await inspect(surface, 'ar');
    const choice = chooseTrack(inspection, { language: 'ar', fallback: false });
    await replay.platform.fetchTrack(inspection, choice, {});
    const asked = replay.asked.at(-1)?.url.searchParams;
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
    const inspection = await inspect(
      'youtube-transcript-api/youtube_po_token_required.innertube.json.static',
    );
    const fetch = (language: string) =>
      replay.platform.fetchTrack(inspection, chooseTrack(inspection, { language, fallback: false }), {});
    expect(await thrownBy(fetch('en'))).toMatchObject({ code: 'po_token_required' });
    for (const language of ['zh', 'cs', 'de', 'hi', 'ja', 'ko', 'es'])
      expect(await fetch(language)).toHaveLength(1);
  });

  it.each(['player', 'watch'] as const)(
    'asks again with the cookie of the recorded consent page (%s)',
    async (endpoint) => {
      const page = recording('youtube-transcript-api/youtube_consent_page.html.static');
      replay.use({ [endpoint]: html(page) });
      expect(await thrownBy(replay.platform.inspectVideo(VIDEO_ID, { language: 'en' }, {}))).toMatchObject({
        code: 'upstream_error',
      });
      expect(replay.asked.at(-1)?.headers.cookie).toBe('CONSENT=YES+cb.20210328-17-p0.de+FX+119');
    },
  );

  it.each([200, 429])('takes the recorded captcha page for a block (status %d)', async (status) => {
    const page = {
      ...html(recording('youtube-transcript-api/youtube_too_many_requests.html.static')),
      status,
    };
    replay.use({ player: page, watch: page });
    expect(await thrownBy(replay.platform.inspectVideo(VIDEO_ID, { language: 'en' }, {}))).toMatchObject({
      code: 'ip_blocked',
    });
  });

  const cuesOf = async (file: string) => {
    replay.use({ player: { body: playable([wireTrack('en')]) }, timedtext: { body: recording(file) } });
    const inspection = await replay.platform.inspectVideo(VIDEO_ID, { language: 'en' }, {});
    return replay.platform.fetchTrack(
      inspection,
      chooseTrack(inspection, { language: 'en', fallback: true }),
      {},
    );
  };

  it.each([
    'timedtext/vido-asr-short.json3.json',
    'timedtext/y2bcaptions-manual.json3.json',
    'timedtext/yttml-mesmerizer.srv3.xml',
  ])('%s has the cues that another reader found', async (file) => {
    const name = file.replace('timedtext/', 'timedtext/expected/').replace(/\.xml$/, '.xml.json');
    const expected: { cues: { start_ms: number; duration_ms: number; text: string }[] } = JSON.parse(
      recording(name),
    );
    expect(await cuesOf(file)).toEqual(
      expected.cues.map((cue) => ({ startMs: cue.start_ms, durationMs: cue.duration_ms, text: cue.text })),
    );
  });

  it('reads srv1 with overlaps, markup and empty rows', async () => {
    const overlapping = await cuesOf('timedtext/elixir-asr.srv1.xml');
    expect(overlapping).toHaveLength(13);
    expect(overlapping[0]).toEqual({
      startMs: 0,
      durationMs: 3600,
      text: "oh my gosh that's his wife no it can't",
    });
    expect(overlapping[1]?.startMs).toBe(2320);
    expect(await cuesOf('youtube-transcript-api/transcript.xml.static')).toEqual([
      { startMs: 0, durationMs: 1540, text: 'Hey, this is just a test' },
      { startMs: 1540, durationMs: 4160, text: 'this is not the original transcript' },
      { startMs: 5700, durationMs: 3239, text: 'just something shorter, I made up for testing' },
    ]);
  });
});
