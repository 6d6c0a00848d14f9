import { z } from 'zod';
import { CHANNEL_ID_LENGTH, line, listOf, MAX_LANGUAGE_TAG_LENGTH, namedObject, videoId } from './ids.ts';

/** One caption as the platform sent it: integer milliseconds, text with real line breaks and no markup. */
export type Cue = { readonly startMs: number; readonly durationMs: number; readonly text: string };

export const transcriptFormats = ['json', 'clean', 'timestamped', 'both', 'srt', 'vtt', 'md'] as const;
export const transcriptFormat = z.enum(transcriptFormats).meta({ id: 'TranscriptFormat' });
export type TranscriptFormat = z.infer<typeof transcriptFormat>;

export const captionKind = z.enum(['manual', 'asr']).meta({ id: 'CaptionKind' });
export type CaptionKind = z.infer<typeof captionKind>;

export const translationOutcome = z
  .enum(['not_requested', 'served', 'refused', 'unavailable'])
  .meta({ id: 'TranslationOutcome' });
export type TranslationOutcome = z.infer<typeof translationOutcome>;

/** The platform's own code of a language, such as `en` or `iw`. */
export const languageCode = line(MAX_LANGUAGE_TAG_LENGTH);

const MAX_TRACKS = 300;
/** Languages of a video in an answer. */
export const languageCodes = listOf(languageCode, MAX_TRACKS);

/** The requested and the delivered language (specification, part 2, language contract). */
export const languageDelivery = namedObject('TranscriptLanguage', {
  requested: line(MAX_LANGUAGE_TAG_LENGTH),
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

/** The known facts of a video; unknown fields are null, never guessed. */
export const videoDetails = namedObject('Video', {
  id: videoId,
  title: line(MAX_TITLE_LENGTH).nullable(),
  channel_id: line(CHANNEL_ID_LENGTH).nullable(),
  channel_title: line(MAX_TITLE_LENGTH).nullable(),
  published_at: publicationDay.nullable(),
  duration: z.number().int().nullable(),
});
export type VideoDetails = z.infer<typeof videoDetails>;

/** A caption track as listed by the platform. */
export const captionTrack = namedObject('CaptionTrack', {
  language_code: languageCode,
  kind: captionKind,
  name: line(MAX_TRACK_NAME_LENGTH),
});
export type CaptionTrack = z.infer<typeof captionTrack>;
export const captionTracks = listOf(captionTrack, MAX_TRACKS);
