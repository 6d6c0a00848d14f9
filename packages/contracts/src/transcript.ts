import { z } from 'zod';
import {
  CHANNEL_ID_LENGTH,
  firstItems,
  firstWithin,
  line,
  listWithin,
  MAX_LANGUAGE_TAG_LENGTH,
  namedObject,
  text,
  videoId,
} from './ids.ts';
import { MAX_PREFERENCE_LENGTH } from './language-preference.ts';

/** A word of recognised speech, without outer space. */
export type Word = { readonly startMs: number; readonly text: string };

/** One caption as the platform sent it: integer milliseconds, text with real line breaks and no markup. */
export type Cue = {
  readonly startMs: number;
  readonly durationMs: number;
  readonly text: string;
  /** If the platform times each word: they make up the text, white space apart. */
  readonly words?: readonly Word[];
};

export const transcriptFormats = ['json', 'clean', 'timestamped', 'both', 'srt', 'vtt', 'md'] as const;
export const transcriptFormat = z.enum(transcriptFormats).meta({ id: 'TranscriptFormat' });
export type TranscriptFormat = z.infer<typeof transcriptFormat>;

/** Of files in the store: `words` is json with the time of each word. */
export const storedFormat = z.enum([...transcriptFormats, 'words']);
export type StoredFormat = z.infer<typeof storedFormat>;

/** What a reference to a video is written in. */
export const citationFormat = z.enum(['apa', 'bibtex', 'ris', 'csl-json']).meta({ id: 'CitationFormat' });
export type CitationFormat = z.infer<typeof citationFormat>;

export const captionKind = z.enum(['manual', 'asr']).meta({ id: 'CaptionKind' });
export type CaptionKind = z.infer<typeof captionKind>;

export const translationOutcome = z
  .enum(['not_requested', 'served', 'refused', 'unavailable'])
  .meta({ id: 'TranslationOutcome' });
export type TranslationOutcome = z.infer<typeof translationOutcome>;

/** The platform's own code of a language, such as `en` or `iw`. */
export const languageCode = line(MAX_LANGUAGE_TAG_LENGTH);

export const originalLanguage = languageCode
  .nullable()
  .default(null)
  .describe('The language that is spoken; null if it is not known');

const MAX_TRACKS = 300;
/** Languages of a video in an answer. */
export const languageCodes = firstItems(languageCode, MAX_TRACKS);

/** The requested and the delivered language (specification, part 2, language contract). */
export const languageDelivery = namedObject('TranscriptLanguage', {
  requested: line(MAX_PREFERENCE_LENGTH).describe('As asked for: a language, orig, or several with commas'),
  delivered: languageCode,
  kind: captionKind,
  fallback: z.boolean(),
  translation: translationOutcome,
});
export type LanguageDelivery = z.infer<typeof languageDelivery>;

const MAX_TITLE_LENGTH = 500;
const MAX_TRACK_NAME_LENGTH = 100;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/** YYYY-MM-DD, the day of publication in every route. */
export const publicationDay = z.iso.date().max(DAY_LENGTH).describe('UTC day');

/** What names and dates a video. Messages about many videos have no more. */
export const videoSummary = z.object({
  id: videoId,
  title: line(MAX_TITLE_LENGTH).nullable(),
  channel_id: line(CHANNEL_ID_LENGTH).nullable(),
  channel_title: line(MAX_TITLE_LENGTH).nullable(),
  published_at: publicationDay.nullable(),
  duration: z.number().int().nullable(),
});

export type VideoSummary = z.infer<typeof videoSummary>;

/** Limits of a video's texts and lists, in UTF-16 units and items. The platform allows 5,000, and 500 for all tags together. */
export const videoBounds = {
  description: 5_000,
  tags: 50,
  tag: 100,
  address: 200,
  chapters: 200,
  chapterTitle: 100,
} as const;

/** In JSON; what a description holds takes less. */
const MAX_TAGS_BYTES = 16 * 1_024;
const MAX_CHAPTERS_BYTES = 24 * 1_024;

export const chapter = namedObject('Chapter', {
  start: z.number().int().nonnegative().describe('In seconds'),
  title: line(videoBounds.chapterTitle),
});
export type Chapter = z.infer<typeof chapter>;

/** The known facts of a video; unknown fields are null, never guessed. */
export const videoDetails = namedObject('Video', {
  ...videoSummary.shape,
  description: text(videoBounds.description).nullable(),
  tags: listWithin(line(videoBounds.tag), MAX_TAGS_BYTES).nullable(),
  view_count: z.number().int().nonnegative().nullable(),
  thumbnail_url: z.string().max(videoBounds.address).nullable(),
  chapters: listWithin(chapter, MAX_CHAPTERS_BYTES)
    .nullable()
    .describe('As the description lists them; null without such a list'),
});
export type VideoDetails = z.infer<typeof videoDetails>;

const noFacts = Object.fromEntries(Object.keys(videoDetails.shape).map((name) => [name, null])) as {
  [Name in keyof Omit<VideoDetails, 'id'>]: null;
};

/** A video of which only its id is known. */
export const unknownVideo = (id: string): VideoDetails => ({ ...noFacts, id });

/** The facts of a video, and for unknown ones those of another source. Chapters belong to their description. */
export const completeVideo = (video: VideoDetails, other: VideoDetails): VideoDetails => {
  const fields = Object.keys(video) as (keyof VideoDetails)[];
  const facts = Object.fromEntries(
    fields.map((field) => [field, video[field] ?? other[field]]),
  ) as VideoDetails;
  return { ...facts, chapters: (video.description === null ? other : video).chapters };
};

/** A caption track as listed by the platform. */
const captionTrack = namedObject('CaptionTrack', {
  language_code: languageCode,
  kind: captionKind,
  name: line(MAX_TRACK_NAME_LENGTH),
});
export type CaptionTrack = z.infer<typeof captionTrack>;
/** In JSON: three times what 300 usual tracks take. */
const MAX_TRACKS_BYTES = 64 * 1_024;

export const captionTracks = firstItems(captionTrack, MAX_TRACKS)
  .overwrite((tracks) => firstWithin(tracks, MAX_TRACKS_BYTES))
  .meta({ maxBytes: MAX_TRACKS_BYTES });
