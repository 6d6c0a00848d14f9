import { type TranscriptFormat, transcriptFormats } from '@tds/contracts';
import { expectedCues } from '@tds/simulators/platform/testing';
import { renderTranscript, type TranscriptInput } from '@tds/transcript-format';
import fc from 'fast-check';

/** A second of the specification, in milliseconds of the test: 25 of them are what a caller waits for cold work. */
export const SECOND_MS = 24;
const MAX_OVERLAP_SECONDS = 30;
/** Beyond the wait, so that callers are handed over and poll. */
const MAX_WORK_SECONDS = 35;
/** The platform is asked for the video, and for its captions. */
const ANSWERS_PER_TRANSCRIPT = 2;

/** English is the videos' own language, Spanish a translation; the platform does not translate into the last one. */
export const languages = ['en', 'es', 'tlh'] as const;

export type ReadRequest = {
  readonly reader: 'opener' | 'other';
  readonly language: (typeof languages)[number];
  readonly fallback: boolean;
  /** Left out: both. */
  readonly format: TranscriptFormat | undefined;
  readonly raw: boolean;
  readonly afterSeconds: number;
};

/** Requests for one unread video. */
export type Scenario = {
  readonly asks: readonly ReadRequest[];
  readonly workSeconds: number;
  readonly isTranslationRefused: boolean;
};

type Fixed = Pick<ReadRequest, 'reader' | 'format'>;

const arbitraryRequest = (fixed: Fixed, afterSeconds: fc.Arbitrary<number>): fc.Arbitrary<ReadRequest> =>
  fc.record({
    reader: fc.constant(fixed.reader),
    format: fc.constant(fixed.format),
    afterSeconds,
    language: fc.constantFrom(...languages),
    fallback: fc.boolean(),
    raw: fc.boolean(),
  });

const overlapping = (one: Fixed, other: Fixed): fc.Arbitrary<Scenario> =>
  fc.record({
    asks: fc
      .tuple(
        arbitraryRequest(one, fc.constant(0)),
        arbitraryRequest(other, fc.nat(MAX_OVERLAP_SECONDS)),
        // Most overlaps are of the same track: those are the ones that share work.
        fc.nat(3),
      )
      .map(([first, second, others]) =>
        others === 0
          ? [first, second]
          : [first, { ...second, language: first.language, fallback: first.fallback }],
      ),
    workSeconds: fc.nat(MAX_WORK_SECONDS),
    isTranslationRefused: fc.boolean(),
  });

const formats = [undefined, ...transcriptFormats];

/** Every pair of formats, asked for by one account and by two, each in some languages and at some overlap. */
export const everyPairOfFormats: fc.Arbitrary<Scenario[]> = fc.tuple(
  ...formats.flatMap((one) =>
    formats.flatMap((other) =>
      (['opener', 'other'] as const).map((reader) =>
        overlapping({ reader: 'opener', format: one }, { reader, format: other }),
      ),
    ),
  ),
);

export const latencyOf = ({ workSeconds }: Scenario): number =>
  Math.round((workSeconds * SECOND_MS) / ANSWERS_PER_TRANSCRIPT);

export const readPath = (videoId: string, { language, fallback, format, raw }: ReadRequest): string => {
  const query = { video_id: videoId, language, fallback: String(fallback), raw: raw ? '1' : '0' };
  return `/v1/transcript?${new URLSearchParams(format ? { ...query, format } : query)}`;
};

export type Expected =
  | { readonly error: 'language_unavailable' | 'translation_refused' }
  | { readonly delivered: 'en' | 'es'; readonly fallback: boolean; readonly translation: string };

/** The language contract of the specification, part 4. */
export const predictResult = (
  { isTranslationRefused }: Scenario,
  { language, fallback }: ReadRequest,
): Expected => {
  if (language === 'en') return { delivered: 'en', fallback: false, translation: 'not_requested' };
  if (language === 'es' && !isTranslationRefused) {
    return { delivered: 'es', fallback: false, translation: 'served' };
  }
  const [translation, error] =
    language === 'es'
      ? (['refused', 'translation_refused'] as const)
      : (['unavailable', 'language_unavailable'] as const);
  return fallback ? { delivered: 'en', fallback: true, translation } : { error };
};

/** What the file says of the video itself, which is not the point here. */
const unknown = { title: null, channel_id: null, channel_title: null, published_at: null, duration: null };

/** The content of a file, but for what md says before it. */
export const expectedContent = (videoId: string, delivered: 'en' | 'es', format: TranscriptFormat) => {
  const cues = expectedCues(videoId, 'en', 'manual', delivered === 'en' ? undefined : delivered);
  const video = { id: videoId, ...unknown };
  const input = { video, cues, language: { delivered, kind: 'manual' } } as unknown as TranscriptInput;
  const file = renderTranscript(input, format);
  return format === 'json' ? JSON.parse(file) : withoutFrontMatter(file);
};

export const withoutFrontMatter = (text: string): string => text.replace(/^# .*?\n## Transcript\n/s, '');
