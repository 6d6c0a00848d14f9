import { z } from 'zod';
import { uuid, videoId } from './ids.ts';
import { MAX_PREFERENCE_LENGTH } from './language-preference.ts';
import { languageDelivery, storedFormat, videoDetails } from './transcript.ts';

/** The price of a transcript that is fetched for the caller. The row of its operation keeps it. */
export const CREDITS_PER_TRANSCRIPT = 1;

const MAX_OBJECT_KEY_LENGTH = 128;

/** Identifies a transcript for a caller: same selection, same bytes. */
export const transcriptSelection = z.object({
  videoId,
  /** A preference in canonical form. */
  language: z.string().max(MAX_PREFERENCE_LENGTH),
  fallback: z.boolean(),
  format: storedFormat,
});
export type TranscriptSelection = z.infer<typeof transcriptSelection>;

/** A file in the object store, raw-deflated there; bytes and sha256 are of the file itself. */
export const storedFile = {
  objectKey: z.string().max(MAX_OBJECT_KEY_LENGTH),
  bytes: z.number().int().nonnegative(),
  sha256: z.string().max(64),
};

/** Of the file itself. */
export const crc32 = z.number().int().min(0).max(0xffff_ffff);

/**
 * A rendered transcript without its body, with the facts of when its track was fetched; the body is read from the projection or the object
 * store.
 */
export const deliveredTranscript = z.object({
  state: z.literal('delivered'),
  cache: z.enum(['HIT', 'MISS']),
  video: videoDetails,
  language: languageDelivery,
  format: storedFormat,
  fetchedAt: z.iso.datetime(),
  ...storedFile,
  creditsCharged: z.number().int().nonnegative(),
  /** Credits available right after the charge; absent if only the ledger knows them. */
  creditsLeft: z.number().int().nonnegative().optional(),
});
export type DeliveredTranscript = z.infer<typeof deliveredTranscript>;

/** A file up to this size (bytes) may come with its answer. */
export const MAX_TEXT_BYTES_IN_ANSWER = 32 * 1_024;

/** `text` is the file itself, if it is small and was rendered for this answer. */
const answeredTranscript = deliveredTranscript.extend({
  text: z.string().max(MAX_TEXT_BYTES_IN_ANSWER).optional(),
});
export type AnsweredTranscript = z.infer<typeof answeredTranscript>;

export const transcriptAnswer = z.discriminatedUnion('state', [
  answeredTranscript,
  z.object({ state: z.literal('pending'), requestId: uuid }),
]);
export type TranscriptAnswer = z.infer<typeof transcriptAnswer>;
