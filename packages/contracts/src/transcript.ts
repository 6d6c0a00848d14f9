import { z } from 'zod';

/** One caption as the platform said it: integer milliseconds, text with real line breaks and no markup. */
export type Cue = { readonly startMs: number; readonly durationMs: number; readonly text: string };

export const transcriptFormats = ['json', 'clean', 'timestamped', 'both', 'srt', 'vtt', 'md'] as const;
export const transcriptFormat = z.enum(transcriptFormats);
export type TranscriptFormat = z.infer<typeof transcriptFormat>;

export const captionKind = z.enum(['manual', 'asr']);
export type CaptionKind = z.infer<typeof captionKind>;

export const translationOutcome = z.enum(['not_requested', 'served', 'refused', 'unavailable']);
export type TranslationOutcome = z.infer<typeof translationOutcome>;

/** What was asked for and what was delivered (specification, part 2, language contract). */
export const languageDelivery = z.object({
  requested: z.string(),
  delivered: z.string(),
  kind: captionKind,
  fallback: z.boolean(),
  translation: translationOutcome,
});
export type LanguageDelivery = z.infer<typeof languageDelivery>;

/** What is known of a video; unknown fields are null, never guessed. Times are ISO 8601. */
export const videoDetails = z.object({
  id: z.string(),
  title: z.string().nullable(),
  channel_id: z.string().nullable(),
  channel_title: z.string().nullable(),
  published_at: z.string().nullable(),
  duration: z.number().int().nullable(),
});
export type VideoDetails = z.infer<typeof videoDetails>;

/** A caption track as listed by the platform. */
export const captionTrack = z.object({ language_code: z.string(), kind: captionKind, name: z.string() });
export type CaptionTrack = z.infer<typeof captionTrack>;
