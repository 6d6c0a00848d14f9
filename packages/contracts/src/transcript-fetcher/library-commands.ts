import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import {
  count,
  cursorReply,
  languageTag,
  listWithin,
  namedObject,
  pageAfter,
  text,
  uuid,
  videoId,
} from '../ids.ts';
import {
  MAX_LIBRARY_QUERY_LENGTH,
  MAX_MATCH_LENGTH,
  MAX_SENTENCE_LENGTH,
  MAX_URL_LENGTH,
} from '../passages.ts';
import { captionKind, languageCode, videoSummary } from '../transcript.ts';
import { MAX_ANSWER_BYTES } from './render-commands.ts';

/** The newest transcripts of an account that its library keeps. */
export const MAX_LIBRARY_TRANSCRIPTS = 100_000;
export const MAX_LIBRARY_PAGE = 100;

export const MAX_FOUND_PASSAGES = 50;
/** Passages that one search ranks; later ones cannot be paged to. */
export const MAX_RANKED_PASSAGES = 1_000;
/** A run of characters without spaces counts as one word for each of its characters but one. */
export const MAX_LIBRARY_QUERY_WORDS = 32;

export const MAX_RECORDED_READS = 500;

/** A character may take three bytes, and a search finds no longer passage. */
const MAX_PASSAGE_LENGTH = 2_000;

const { id: _, ...facts } = videoSummary.shape;

const transcriptFacts = {
  video_id: videoId,
  ...facts,
  language: languageCode,
  kind: captionKind,
  translated: z.boolean(),
  received_at: z.iso.datetime().describe('When the account first had it'),
};

export const libraryTranscript = namedObject('LibraryTranscript', transcriptFacts);
export type LibraryTranscript = z.infer<typeof libraryTranscript>;

export const libraryPassage = namedObject('LibraryPassage', {
  ...transcriptFacts,
  start: z.number().describe('In seconds, never later than the first word of the passage'),
  end: z.number(),
  text: text(MAX_PASSAGE_LENGTH),
  match: z
    .object({
      start: z.number().describe('In seconds: of the caption with the first of the words'),
      text: text(MAX_MATCH_LENGTH),
      sentence: text(MAX_SENTENCE_LENGTH)
        .optional()
        .describe('As it stands in text: the sentence with the words, or the words around them of a long one'),
    })
    .describe('Where the words of q stand closest together, as they stand in text'),
  url: z.string().max(MAX_URL_LENGTH).describe('The video from the match on'),
});
export type LibraryPassage = z.infer<typeof libraryPassage>;

/** A transcript that a gateway served from its cache. */
/** Where a passage stands among those of a search: the bits of its rank, then its transcript in the library, then its position there. */
export const passageCursor = z
  .string()
  .regex(/^[0-9a-f]{8}_\d{1,13}_[0-9a-f-]{36}_\d{1,9}$/)
  .refine((cursor) => uuid.safeParse(cursor.split('_')[2]).success);

/** How much of the chosen transcripts a search finds. */
export const libraryIndex = namedObject('LibraryIndex', {
  transcripts: count.describe('Received, as far as the filters choose them'),
  indexed: count.describe('Of these, those that are found by each of their words'),
  is_growing: z.boolean().describe('True while the rest becomes findable: ask again in a second'),
});
export type LibraryIndex = z.infer<typeof libraryIndex>;

const cachedRead = z.object({
  accountId: uuid,
  videoId,
  language: languageCode,
  kind: captionKind,
  translated: z.boolean(),
});
export type CachedRead = z.infer<typeof cachedRead>;

const selected = {
  accountId: uuid,
  jobId: uuid.optional(),
  videoId: videoId.optional(),
  language: languageTag.optional(),
};

export const libraryCommands = commands({
  /** Returns what an account has received, newest first, without its text. */
  listLibrary: {
    request: z.object({ ...selected, ...pageAfter(MAX_LIBRARY_PAGE) }),
    reply: z.object({
      transcripts: listWithin(libraryTranscript, MAX_ANSWER_BYTES),
      total: count,
      ...cursorReply,
    }),
  },

  /** Returns passages of the account's transcripts that have all words of a query, best first. */
  searchLibrary: {
    request: z.object({
      ...selected,
      q: z.string().max(MAX_LIBRARY_QUERY_LENGTH),
      ...pageAfter(MAX_FOUND_PASSAGES, passageCursor),
    }),
    reply: z.object({
      results: listWithin(libraryPassage, MAX_ANSWER_BYTES),
      total: count,
      ...cursorReply,
      /** False if there was more to look through than one search does, or if something is not findable yet. */
      is_complete: z.boolean(),
      /** Absent from the release before. */
      index: libraryIndex.optional(),
    }),
    errors: ['invalid_library_query', 'search_in_progress'],
    isIdempotent: true,
  },

  /** Records cached reads, each once; a repeat changes nothing. */
  recordReads: {
    request: z.object({ reads: z.array(cachedRead).max(MAX_RECORDED_READS) }),
    reply: z.object({}),
    isIdempotent: true,
  },
});
