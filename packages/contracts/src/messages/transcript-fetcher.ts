import { z } from 'zod';
import { line, listOf } from '../bounded.ts';
import { uuid, videoId } from '../ids.ts';
import {
  captionKind,
  captionTracks,
  languageCode,
  languageDelivery,
  transcriptFormat,
  videoDetails,
} from '../transcript.ts';
import { command, event, task } from './define-messages.ts';
import { tier } from './identity.ts';

const owner = 'transcript-fetcher' as const;

/** Longest that a caller waits for cold work before it gets a 202 (specification, part 8). */
export const COLD_WAIT_MS = 25_000;
/** Room for the hops around the wait. */
const HOPS_MS = 3_000;

const keyword = z.string().max(64);
const LONGEST_OBJECT_KEY = 128;
const LONGEST_NAME = 40;
/** More than the languages that the platform translates to. */
const MOST_CACHED_LANGUAGES = 400;

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
  /** What the account could spend right after the charge; absent where it has to be asked for. */
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

/** `text` is the file itself, where it is small and was rendered for this answer. */
export const answeredTranscript = deliveredTranscript.extend({
  text: z.string().max(LARGEST_TEXT_IN_ANSWER).optional(),
});
export type AnsweredTranscript = z.infer<typeof answeredTranscript>;

export const transcriptAnswer = z.discriminatedUnion('state', [
  answeredTranscript,
  z.object({ state: z.literal('pending'), requestId: uuid }),
]);
export type TranscriptAnswer = z.infer<typeof transcriptAnswer>;

/** What an operation may end with: its own failure, for which nothing is charged. */
export const operationErrors = [
  'ip_blocked',
  'po_token_required',
  'rate_limited',
  'translation_refused',
  'video_unavailable',
  'no_captions',
  'transcript_not_ready',
  'language_unavailable',
  'upstream_error',
  'relay_attempt_cap',
  'relay_unavailable',
  'budget_exhausted',
] as const;

/** Serves from the cache, or starts (or joins) cold work, waits for it, and hands over after the wait. */
export const getTranscript = command({
  owner,
  name: 'get-transcript',
  request: transcriptSelection.extend({
    accountId: uuid,
    keyId: uuid,
    tier,
    /** Under which key the limits of the day count, where it is another one. */
    limitId: uuid.optional(),
    /** New accounts may do less on a day than others. */
    accountCreatedAt: z.iso.datetime(),
    /** Credits that the key may use on one UTC day; null or absent is no cap. */
    dailyCreditCap: z.number().int().positive().nullish(),
    /** Becomes the polling id if the work outlives the wait. */
    requestId: uuid,
    /** Answers from the cache or with `transcript_not_ready`, and never starts cold work. */
    cacheOnly: z.boolean(),
    /** How long to wait for cold work before answering `pending`. */
    waitMs: z.number().int().nonnegative().max(COLD_WAIT_MS),
  }),
  reply: transcriptAnswer,
  errors: [
    ...operationErrors,
    'cache_object_missing',
    'insufficient_credits',
    'account_frozen',
    'account_closed',
    'daily_credit_cap',
    'account_age_ramp',
    'cold_fetch_cap',
    'free_pool_cap',
    'global_cold_cap',
  ],
  timeoutMs: COLD_WAIT_MS + HOPS_MS,
});

/** Looks after work that was handed over with a 202; bound to the account, free, any number of times. */
export const pollRequest = command({
  owner,
  name: 'poll-request',
  request: z.object({
    accountId: uuid,
    requestId: uuid,
    /** Another format than the one that the request was started with. */
    format: transcriptFormat.optional(),
    waitMs: z.number().int().nonnegative().max(COLD_WAIT_MS),
  }),
  reply: transcriptAnswer,
  errors: [...operationErrors, 'cache_object_missing', 'request_not_found', 'request_expired'],
  timeoutMs: COLD_WAIT_MS + HOPS_MS,
});

export const videoStatus = z.enum(['unknown', 'fetched', 'no_captions', 'unavailable', 'error']);

/** What is known of a video; never causes a fetch. */
export const getVideoFacts = command({
  owner,
  name: 'get-video-facts',
  request: z.object({ videoId }),
  reply: z.object({
    video: videoDetails.extend({
      status: videoStatus,
      error_class: line(LONGEST_NAME).nullable(),
      fetched_at: line(LONGEST_NAME).nullable(),
    }),
    cached_languages: listOf(
      z.object({ language_code: languageCode, kind: captionKind, cached_at: z.iso.datetime() }),
      MOST_CACHED_LANGUAGES,
    ),
    caption_tracks: captionTracks,
    selected: z.object({ language_code: languageCode, kind: captionKind }).nullable(),
  }),
});

/** One upstream fetch of one track, shared by every operation that waits for it. */
export const fetchTrack = task({
  owner,
  name: 'fetch-track',
  payload: z.object({
    fetchId: uuid,
    /** The operation that began it. */
    operationId: uuid.optional(),
    /** What that operation asked for: spares the first attempt a look. */
    wanted: transcriptSelection.optional(),
    /** Whose operation that is; absent in what is taken over from the table. */
    accountId: uuid.optional(),
  }),
  // Renewed while it runs, so this is how soon a killed worker's fetch is taken over.
  leaseMs: 10_000,
  backoffMs: [1_000, 2_000, 5_000],
  concurrency: 32,
});

/** Settles or releases what an ended operation had reserved; repeats until the ledger has answered, once a minute in the end. */
export const settleOperation = task({
  owner,
  name: 'settle-operation',
  payload: z.object({
    operationId: uuid,
    /** What the ended operation owes: spares a look. */
    charge: z.number().int().nonnegative().optional(),
  }),
  leaseMs: 10_000,
  backoffMs: [200, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000, ...Array<number>(10).fill(60_000)],
  concurrency: 32,
});

/** Tells the instances that hold a waiting caller that an operation has ended. */
export const operationEnded = event({
  owner,
  name: 'operation-ended',
  payload: z.object({ operationId: uuid, state: z.string() }),
});

export const transcriptFetched = event({
  owner,
  name: 'transcript-fetched',
  payload: z.object({ videoId, languageCode: z.string(), kind: captionKind, translated: z.boolean() }),
});

export const transcriptFailed = event({
  owner,
  name: 'transcript-failed',
  payload: z.object({ videoId, language: z.string(), errorClass: z.string(), code: z.string() }),
});

/** One attempt of one serving strategy; the status service judges outages from these. */
export const strategyObserved = event({
  owner,
  name: 'strategy-observed',
  payload: z.object({
    observedAt: z.iso.datetime(),
    strategies: z.array(z.object({ strategy: z.string(), exit: z.string(), healthy: z.boolean() })),
  }),
});
