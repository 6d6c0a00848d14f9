import { describe, expect, it } from '@jest/globals';
import { type Cue, serviceError } from '@tds/contracts';
import type { CaptionReader, TrackChoice } from '@tds/video-platform';
import type { Begun } from '../store/rows.ts';
import { begunFor, unknown, video } from '../test-support/cached.ts';
import { inspectionOf, platformTrack } from '../test-support/inspected.ts';
import { filesOnTheLoop, readWith } from '../test-support/track-files.ts';
import {
  causeOf,
  failureOf,
  LanguageFailure,
  languagesOf,
  obtainTrack,
  publicTracks,
} from './obtain-track.ts';

/** The platform's adapter takes it for text, and nobody sees it. */
const SHY = '\u00ad';
const DAY = '2026-03-01';
const cue: Cue = { startMs: 0, durationMs: 1_000, text: 'hello' };
type Cached = Pick<Begun, 'known' | 'tracks'>;
const nothingKnown: Cached = { known: unknown, tracks: [] };
const cachedEnglish: Begun['tracks'][number] = {
  id: 'transcript',
  cuesKey: 'cues/x',
  videoId: video.id,
  languageCode: 'en',
  kind: 'manual',
  translated: false,
};

/** A platform that answers as given, beside a cache and an object store. */
const setUp = ({
  inspection = inspectionOf(),
  answers = async (): Promise<readonly Cue[]> => [cue],
  cache = nothingKnown,
  stored = ['cues/x'],
}: {
  inspection?: ReturnType<typeof inspectionOf>;
  answers?: (choice: TrackChoice) => Promise<readonly Cue[]>;
  cache?: Cached;
  stored?: readonly string[];
} = {}) => {
  const asked: string[] = [];
  const deps = {
    platform: {
      inspectVideo: async () => inspection,
      publishedOn: async () => {
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
    obtainTrack(deps as never, begunFor({ ...cache, language, fallback }), {});
  return { asked, obtain };
};
const refusesTranslation = async ({ translateTo }: TrackChoice) => {
  if (translateTo !== null) throw serviceError('translation_refused');
  return [cue];
};

describe('the best track for a language', () => {
  it('is the native one, with the video as the platform tells it', async () => {
    const { asked, obtain } = setUp();
    expect(await obtain()).toMatchObject({
      video: { ...video, published_at: DAY },
      track: { videoId: video.id, languageCode: 'en', kind: 'manual', translated: false },
      choice: { isFallback: false, translation: 'not_requested' },
      made: { cueCount: 1 },
      isCached: false,
    });
    expect(asked).toEqual(['date', 'en']);
  });

  it('is the translated one where there is no native one', async () => {
    const { asked, obtain } = setUp();
    expect(await obtain('fr')).toMatchObject({
      track: { languageCode: 'fr', translated: true },
      choice: { isFallback: false, translation: 'served' },
    });
    expect(asked).toEqual(['date', 'fr']);
  });

  it('is the source where the platform refuses its translation, for those who take a fallback', async () => {
    const { asked, obtain } = setUp({ answers: refusesTranslation });
    expect(await obtain('fr')).toMatchObject({
      track: { languageCode: 'en', translated: false },
      choice: { isFallback: true, translation: 'refused' },
    });
    expect(asked).toEqual(['date', 'fr', 'date', 'en']);
  });

  it('is none for those who take no fallback: the refusal is told, and what was learnt of the video', async () => {
    const { asked, obtain } = setUp({ answers: refusesTranslation });
    const thrown = await obtain('fr', false).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(LanguageFailure);
    expect(failureOf(thrown)).toMatchObject({
      error: { code: 'translation_refused' },
      inspection: { strategy: 'android' },
    });
    expect(asked).toEqual(['date', 'fr']);
  });

  it('is not tried any further where the platform fails otherwise', async () => {
    const { asked, obtain } = setUp({ answers: () => Promise.reject(serviceError('ip_blocked')) });
    await expect(obtain('fr')).rejects.toMatchObject({ cause: { code: 'ip_blocked' } });
    expect(asked).toEqual(['date', 'fr']);
  });

  it('is no track without a single cue: that is an error of the platform, and nothing is delivered', async () => {
    const { obtain } = setUp({ answers: async () => [{ ...cue, text: SHY }] });
    await expect(obtain()).rejects.toMatchObject({ cause: { code: 'upstream_error' } });
  });
});

describe('a track that is cached', () => {
  const cache = { ...nothingKnown, tracks: [cachedEnglish] };

  it('is not fetched again: a new language only leads to it', async () => {
    const { asked, obtain } = setUp({ cache });
    expect(await obtain('en-GB')).toMatchObject({ transcriptId: 'transcript', isCached: true, made: null });
    expect(asked).toEqual([]);
  });

  it('is fetched again where the object store has lost its cues, and stays the same transcript', async () => {
    const { asked, obtain } = setUp({ cache, stored: [] });
    expect(await obtain()).toMatchObject({
      transcriptId: 'transcript',
      isCached: true,
      made: { cueCount: 1 },
    });
    expect(asked).toEqual(['date', 'en']);
  });

  it.each([
    ['in another language', { languageCode: 'de' }],
    ['of another kind', { kind: 'asr' as const }],
    ['that was translated', { translated: true }],
  ])('%s is another one', async (_what, given) => {
    const { obtain } = setUp({ cache: { ...nothingKnown, tracks: [{ ...cachedEnglish, ...given }] } });
    expect(await obtain()).toMatchObject({ isCached: false, made: { cueCount: 1 } });
  });
});

it('what the platform does not tell of a video this time is completed by what was known before', async () => {
  const details = {
    title: 'An old title',
    channel_id: 'UC_x5XG1OV2P6uZZ5FSM9Ttw',
    channel_title: 'A channel',
    published_at: '2020-01-02',
    duration: 60,
  };
  const known = { kind: 'unknown', video: { ...details, id: video.id } } as const;
  const { asked, obtain } = setUp({ cache: { ...nothingKnown, known } });
  expect((await obtain()).video).toEqual({ ...details, id: video.id, title: 'A title', duration: 61 });
  expect(asked).toEqual(['en']);
});

describe('what could not be obtained', () => {
  it('is a typed refusal of the platform, without an inspection if that is what failed', () => {
    const refusal = serviceError('video_unavailable');
    expect(failureOf(refusal)).toEqual({ error: refusal, inspection: null });
  });

  it.each([
    ['an error of ours', new TypeError('broken')],
    ['what already became an unexpected error', serviceError('unexpected_error')],
    ['no error at all', undefined],
  ])('is unforeseen if it is %s', (_what, cause) => {
    const thrown = new LanguageFailure(inspectionOf(), cause);
    expect(failureOf(thrown).error).toBeNull();
    expect([causeOf(thrown), causeOf(cause)]).toEqual([cause, cause]);
  });
});

describe('the tracks of a video', () => {
  const tracks = [platformTrack('en'), platformTrack('de'), platformTrack('en', { kind: 'asr' })];

  it('are told without what only the platform needs', () => {
    expect(publicTracks(tracks.slice(2))).toEqual([
      { language_code: 'en', kind: 'asr', name: 'Captions in en' },
    ]);
  });

  it('name each language once, in the order of the platform', () => {
    expect(languagesOf(tracks)).toEqual(['en', 'de']);
  });
});
