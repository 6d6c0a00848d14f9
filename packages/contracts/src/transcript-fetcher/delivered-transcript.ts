import { z } from 'zod';
import { uuid, videoId } from '../ids.ts';
import { languageDelivery, transcriptFormat, videoDetails } from '../transcript.ts';

/** What the delivery of a transcript costs that had to be fetched for the caller. The row of its operation keeps it from then on. */
export const CREDITS_PER_TRANSCRIPT = 1;

const keyword = z.string().max(64);
export const LONGEST_OBJECT_KEY = 128;

/** What identifies a transcript for a caller: same selection, same bytes. */
export const transcriptSelection = z.object({
  videoId,
  language: keyword,
  fallback: z.boolean(),
  format: transcriptFormat,
});
export type TranscriptSelection = z.infer<typeof transcriptSelection>;

/** A rendered transcript without its body; the body is read from the projection or the object store. */
export const deliveredTranscript = z.object({
  state: z.literal('delivered'),
  cache: z.enum(['HIT', 'MISS']),
  creditsCharged: z.number().int().nonnegative(),
  /** What the account could spend right after the charge; absent if it has to be asked for. */
  creditsLeft: z.number().int().nonnegative().optional(),
  video: videoDetails,
  language: languageDelivery,
  format: transcriptFormat,
  fetchedAt: z.iso.datetime(),
  /** Key of the rendered file in the object store. */
  objectKey: z.string().max(LONGEST_OBJECT_KEY),
  /** Of the rendered file, uncompressed. */
  bytes: z.number().int().nonnegative(),
  sha256: z.string().max(64),
});
export type DeliveredTranscript = z.infer<typeof deliveredTranscript>;

/** A file up to this size (bytes) may come with the answer that tells of it. */
export const LARGEST_TEXT_IN_ANSWER = 32 * 1_024;

/** `text` is the file itself, if it is small and was rendered for this answer. */
export const answeredTranscript = deliveredTranscript.extend({
  text: z.string().max(LARGEST_TEXT_IN_ANSWER).optional(),
});
export type AnsweredTranscript = z.infer<typeof answeredTranscript>;

export const transcriptAnswer = z.discriminatedUnion('state', [
  answeredTranscript,
  z.object({ state: z.literal('pending'), requestId: uuid }),
]);
export type TranscriptAnswer = z.infer<typeof transcriptAnswer>;
