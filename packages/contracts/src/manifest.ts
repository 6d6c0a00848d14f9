import { z } from 'zod';
import { count, namedObject } from './ids.ts';
import { captionKind, publicationDay, translationOutcome } from './transcript.ts';

/** One row of a job's manifest, in JSON and CSV. */
export const manifestEntry = namedObject('ManifestEntry', {
  position: count.describe('Of the video in the job'),
  video_id: z.string(),
  title: z.string().nullable(),
  published_date: publicationDay.nullable(),
  status: z.string(),
  requested_language: z.string(),
  delivered_language: z.string().nullable(),
  fallback: z.boolean().nullable().describe('Null before delivery'),
  translation: translationOutcome.nullable().describe('Null before delivery'),
  language: z.string().nullable().describe('Alias of delivered_language'),
  track: captionKind.nullable().describe('Alias of caption_kind'),
  caption_kind: captionKind.nullable(),
  attempts: count,
  credits_charged: count,
  strategy: z.string().nullable().describe('What fetched it; null if it was cached'),
  output_file: z
    .string()
    .nullable()
    .describe('transcripts/YYYY-MM-DD - Title.ext; in archives relative to the root of the ZIP'),
  sha256: z.string().nullable().describe('Of the bytes that the file route delivers, in hex'),
  error_class: z.string().nullable(),
  error_code: z.string().nullable(),
  url: z.string().describe('Of the video'),
  channel_id: z.string().nullable(),
  channel_title: z.string().nullable(),
  duration: count.nullable().describe('Of the video, in seconds'),
  view_count: count.nullable().describe('When its captions were fetched'),
  thumbnail_url: z.string().nullable(),
  words: count
    .nullable()
    .describe(
      'Of the transcript; null if its script has no spaces between words, or if it is of an earlier release',
    ),
});
export type ManifestEntry = z.infer<typeof manifestEntry>;

/** The columns of the CSV, in their order. */
export const manifestColumns = Object.keys(manifestEntry.shape) as readonly (keyof ManifestEntry)[];
