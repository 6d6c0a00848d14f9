import { describe, expect, it } from '@jest/globals';
import { type Cue, unknownVideo } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import type { CaptionReader, TrackChoice } from '@tds/video-platform';
import type { StartedFetch } from '../domain/fetch.ts';
import { buildFetch, unknown, video } from '../test-support/cached.ts';
import { buildInspection, platformTrack } from '../test-support/inspected.ts';
import { filesOnTheLoop, readWith } from '../test-support/track-files.ts';
import {
  causeOf,
  LanguageFailure,
  listLanguageCodes,
  obtainTrack,
  publicTracks,
  toFailure,
} from './obtain-track.ts';

/** The adapter accepts it as text, but it is invisible. */
const SHY = '\u00ad';
const DAY = '2026-03-01';
const cue: Cue = { startMs: 0, durationMs: 1_000, text: 'hello' };
type CacheContents = Pick<StartedFetch, 'cacheAnswer' | 'tracks'>;
const nothingKnown: CacheContents = { cacheAnswer: unknown, tracks: [] };
const cachedEnglish: StartedFetch['tracks'][number] = {
  id: 'transcript',
  object_key: 'cues/x',
  language_code: 'en',
  kind: 'manual',
  translated: false,
};

/** A platform with these answers, a cache and an object store. */
const setUp = ({
  inspection = buildInspection(),
  answers = async (): Promise<readonly Cue[]> => [cue],
  cache = nothingKnown,
  stored = ['cues/x'],
}: {
  inspection?: ReturnType<typeof buildInspection>;
  answers?: (choice: TrackChoice) => Promise<readonly Cue[]>;
  cache?: CacheContents;
  stored?: readonly string[];
} = {}) => {
  const asked: string[] = [];
  const deps = {
    platform: {
      inspectVideo: async () => inspection,
      findPublishDate: async () => {
        asked.push('date');
        return DAY;
      },
      fetchTrack: async (
        _inspection: unknown,
        choice: TrackChoice,
        _call: unknown,
        read: CaptionReader<unknown>,
      ) => {
        asked.push(choice.delivered);
        return await readWith(read, await answers(choice));
      },
    },
    files: filesOnTheLoop,
    objects: { stat: async (key: string) => (stored.includes(key) ? {} : null) },
  };
  const obtain = (language = 'en', fallback = true) =>
    obtainTrack(deps as never, buildFetch({ ...cache, language, fallback }), {});
  return { asked, obtain };
};
const refusesTranslation = async ({ translateTo }: TrackChoice) => {
  if (translateTo !== null) throw serviceError('translation_refused');
  return [cue];
};

describe('the best track for a language', () => {
  it("is the native one, with the platform's details of the video", async () => {
    const { asked, obtain } = setUp();
    expect(await obtain()).toMatchObject({
      video: { ...video, published_at: DAY },
      track: { videoId: video.id, languageCode: 'en', kind: 'manual', translated: false },
      choice: { isFallback: false, translation: 'not_requested' },
      madeTrack: { measures: { words: 1 } },
      isCached: false,
    });
    expect(asked).toEqual(['date', 'en']);
  });

  it('is the translated one if there is no native one', async () => {
    const { asked, obtain } = setUp();
    expect(await obtain('fr')).toMatchObject({
      track: { languageCode: 'fr', translated: true },
      choice: { isFallback: false, translation: 'served' },
    });
    expect(asked).toEqual(['date', 'fr']);
  });

  it('is the source if the platform refuses the translation and a fallback is allowed', async () => {
    const { asked, obtain } = setUp({ answers: refusesTranslation });
    expect(await obtain('fr')).toMatchObject({
      track: { languageCode: 'en', translated: false },
      choice: { isFallback: true, translation: 'refused' },
    });
    expect(asked).toEqual(['date', 'fr', 'date', 'en']);
  });

  it('is none without a fallback: the refusal is thrown with the inspection', async () => {
    const { asked, obtain } = setUp({ answers: refusesTranslation });
    const thrown = await obtain('fr', false).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(LanguageFailure);
    expect(toFailure(thrown)).toMatchObject({
      error: { code: 'translation_refused' },
      inspection: { strategy: 'android' },
    });
    expect(asked).toEqual(['date', 'fr']);
  });

  it('is not searched further after another failure of the platform', async () => {
    const { asked, obtain } = setUp({ answers: () => Promise.reject(serviceError('ip_blocked')) });
    await expect(obtain('fr')).rejects.toMatchObject({ cause: { code: 'ip_blocked' } });
    expect(asked).toEqual(['date', 'fr']);
  });

  const tracks = [
    platformTrack('en'),
    platformTrack('en', { kind: 'asr', vssId: 'a.en' }),
    platformTrack('de'),
  ];

  it.each([
    ['the next one of the language', 'en', ['.en'], { languageCode: 'en', kind: 'asr' }],
    ['a translation of the rest', 'en', ['.en', 'a.en'], { languageCode: 'en', translated: true }],
    ['another fallback', 'xx', ['.en'], { languageCode: 'en', kind: 'asr' }],
  ])('is %s if a track has no words', async (_what, language, wordless, track) => {
    const answers = async ({ track: { vssId } }: TrackChoice) => {
      if (wordless.includes(vssId)) throw serviceError('no_captions');
      return [cue];
    };
    const inspection = buildInspection({ tracks, translationLanguages: ['en'] });
    const { obtain } = setUp({ inspection, answers });
    expect(await obtain(language)).toMatchObject({ track });
  });

  it('is none if no track has words, and after three of them', async () => {
    const answers = () => Promise.reject(serviceError('no_captions'));
    const few = setUp({ answers, inspection: buildInspection({ tracks }) });
    await expect(few.obtain()).rejects.toMatchObject({ cause: { code: 'no_captions' } });
    const codes = ['en', 'de', 'fr', 'es', 'it', 'pt'];
    const many = setUp({
      answers,
      inspection: buildInspection({ tracks: codes.map((code) => platformTrack(code)) }),
    });
    await expect(many.obtain()).rejects.toMatchObject({ cause: { code: 'no_captions' } });
    expect(many.asked.filter((asked) => asked !== 'date')).toHaveLength(4);
  });

  it('is none if all its words are invisible', async () => {
    const { obtain } = setUp({ answers: async () => [{ ...cue, text: SHY }] });
    await expect(obtain()).rejects.toThrow();
  });
});

describe('a cached track', () => {
  const cache = { ...nothingKnown, tracks: [cachedEnglish] };

  it('is not fetched again: only a new selection refers to it', async () => {
    const { asked, obtain } = setUp({ cache });
    expect(await obtain('en-GB')).toMatchObject({
      transcriptId: 'transcript',
      isCached: true,
      madeTrack: null,
    });
    expect(asked).toEqual([]);
  });

  it('is fetched again if the object store lost its cues, and stays the same transcript', async () => {
    const { asked, obtain } = setUp({ cache, stored: [] });
    expect(await obtain()).toMatchObject({
      transcriptId: 'transcript',
      isCached: true,
      madeTrack: { measures: { words: 1 } },
    });
    expect(asked).toEqual(['date', 'en']);
  });

  it.each([
    ['in another language', { language_code: 'de' }],
    ['of another kind', { kind: 'asr' as const }],
    ['that was translated', { translated: true }],
  ])('%s is a different one', async (_what, given) => {
    const { obtain } = setUp({ cache: { ...nothingKnown, tracks: [{ ...cachedEnglish, ...given }] } });
    expect(await obtain()).toMatchObject({ isCached: false, madeTrack: { measures: { words: 1 } } });
  });
});

it('details that the platform leaves out are completed from earlier ones', async () => {
  const details = {
    ...unknownVideo(video.id),
    title: 'An old title',
    channel_id: 'UC_x5XG1OV2P6uZZ5FSM9Ttw',
    channel_title: 'A channel',
    published_at: '2020-01-02',
    duration: 60,
  };
  const known = { kind: 'unknown', video: details } as const;
  const { asked, obtain } = setUp({ cache: { ...nothingKnown, cacheAnswer: known } });
  expect((await obtain()).video).toEqual({ ...details, title: 'A title', duration: 61 });
  expect(asked).toEqual(['en']);
});

describe('a failure', () => {
  it('is a typed refusal by the platform, without an inspection if the inspection failed', () => {
    const refusal = serviceError('video_unavailable');
    expect(toFailure(refusal)).toEqual({ error: refusal, inspection: null });
  });

  it.each([
    ['an error of ours', new TypeError('broken')],
    ['what already became an unexpected error', serviceError('unexpected_error')],
    ['no error at all', undefined],
  ])('is unexpected if it is %s', (_what, cause) => {
    const thrown = new LanguageFailure(buildInspection(), cause);
    expect(toFailure(thrown).error).toBeNull();
    expect([causeOf(thrown), causeOf(cause)]).toEqual([cause, cause]);
  });
});

describe('the tracks of a video', () => {
  const tracks = [platformTrack('en'), platformTrack('de'), platformTrack('en', { kind: 'asr' })];

  it('are returned without internal fields', () => {
    expect(publicTracks(tracks.slice(2))).toEqual([
      { language_code: 'en', kind: 'asr', name: 'Captions in en' },
    ]);
  });

  it("name each language once, in the platform's order", () => {
    expect(listLanguageCodes(tracks)).toEqual(['en', 'de']);
  });
});
