import { z } from 'zod';
import { crc32, storedFile } from './delivered-transcript.ts';
import { CHANNEL_ID_LENGTH, count, line, uuid } from './ids.ts';
import { captionKind, languageCode, publicationDay, translationOutcome, videoBounds } from './transcript.ts';

const MAX_TITLE_LENGTH = 120;
const MAX_STRATEGY_LENGTH = 64;

/**
 * A delivery of one video of a job, by its public names: the fetcher's database builds it, the job's row keeps it, and manifests, files and
 * archives read it. A field that is added here may be null, as it is of older deliveries.
 */
export const deliveredRow = z.object({
  title: line(MAX_TITLE_LENGTH).nullable(),
  published_at: publicationDay.nullable(),
  channel_id: line(CHANNEL_ID_LENGTH).nullable(),
  channel_title: line(MAX_TITLE_LENGTH).nullable(),
  /** Of the video, in seconds. */
  duration: count.nullable(),
  view_count: count.nullable(),
  thumbnail_url: z.string().max(videoBounds.address).nullable(),
  delivered_language: languageCode,
  fallback: z.boolean(),
  /** Never `unavailable`: without a translation, none was requested (specification, part 2). */
  translation: translationOutcome.exclude(['unavailable']),
  caption_kind: captionKind,
  /** The strategy that fetched the track, whenever that was. */
  strategy: line(MAX_STRATEGY_LENGTH),
  /** Words of the transcript, if they are counted. */
  words: count.nullable(),
  transcript_id: uuid,
  /** The file in the job's format. */
  object_key: storedFile.objectKey,
  bytes: storedFile.bytes,
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  crc32,
});
export type DeliveredRow = z.infer<typeof deliveredRow>;

type Fields = typeof deliveredRow.shape;
const fields = Object.entries(deliveredRow.shape);

/** The fields of a row that may not be delivered yet. */
export const deliveredFields = Object.fromEntries(
  fields.map(([name, type]) => [name, type instanceof z.ZodNullable ? type : type.nullable()]),
) as {
  [Name in keyof Fields]: Fields[Name] extends z.ZodNullable ? Fields[Name] : z.ZodNullable<Fields[Name]>;
};

/** The fields of a row that is not delivered. */
export const undeliveredRow = Object.fromEntries(fields.map(([name]) => [name, null])) as {
  [Name in keyof Fields]: null;
};
