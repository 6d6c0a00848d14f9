import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { COLD_WAIT_MS, HOPS_MS } from '../deadlines.ts';
import { transcriptAnswer, transcriptSelection } from '../delivered-transcript.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { firstItems, line, namedObject, uuid, videoId } from '../ids.ts';
import { MAX_RESOLVED_VIDEOS } from '../limits.ts';
import { tier } from '../principal.ts';
import {
  captionKind,
  captionTracks,
  languageCode,
  originalLanguage,
  publicationDay,
  storedFormat,
  videoDetails,
} from '../transcript.ts';

const MAX_NAME_LENGTH = 40;
/** More than the languages that the platform translates to. */
const MAX_CACHED_LANGUAGES = 400;

/** Failures of an operation; they cost nothing. */
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

const videoStatus = z
  .enum(['unknown', 'fetched', 'no_captions', 'unavailable', 'error'])
  .meta({ id: 'VideoStatus' });

const cachedVideo = z.object({
  id: videoId,
  published_at: publicationDay.nullable(),
  original_language: originalLanguage,
});

export const transcriptCommands = commands({
  /** Answers from the cache, or starts or joins cold work and waits for it; then answers `pending`. */
  getTranscript: {
    request: transcriptSelection.extend({
      accountId: uuid,
      keyId: uuid,
      tier,
      /** The slot of the key for daily limits. */
      limitId: uuid,
      /** New accounts have lower daily limits. */
      accountCreatedAt: z.iso.datetime(),
      /** Credits that the key may use on one UTC day; null or absent is no cap. */
      dailyCreditCap: z.number().int().positive().nullish(),
      /** Becomes the polling id if the work outlives the wait. */
      requestId: uuid,
      /** Asks the platform although the cache has an answer, for a credit. Repeats by the key with the same name are one. */
      refresh: idempotencyKey.optional(),
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
    // A repeat would be a hit, so no answer would report the charge: polling by its id does.
    isIdempotent: false,
    timeoutMs: COLD_WAIT_MS + HOPS_MS,
  },

  /** Returns the state of work answered with 202, for its account only. Free. */
  pollRequest: {
    request: z.object({
      accountId: uuid,
      requestId: uuid,
      /** Another format than the one that the request was started with. */
      format: storedFormat.optional(),
      waitMs: z.number().int().nonnegative().max(COLD_WAIT_MS),
    }),
    reply: transcriptAnswer,
    errors: [...operationErrors, 'cache_object_missing', 'request_not_found', 'request_expired'],
    timeoutMs: COLD_WAIT_MS + HOPS_MS,
  },

  /** Returns which of these videos have a cached transcript in any language, their dates and their languages. A hint. */
  findCachedVideos: {
    request: z.object({ videoIds: z.array(videoId).max(MAX_RESOLVED_VIDEOS) }),
    reply: z.object({ cached: z.array(cachedVideo).max(MAX_RESOLVED_VIDEOS) }),
  },

  /** Returns the known facts of a video, without a fetch. */
  getVideoFacts: {
    request: z.object({ videoId }),
    reply: z.object({
      video: videoDetails
        .extend({
          status: videoStatus,
          error_class: line(MAX_NAME_LENGTH).nullable(),
          fetched_at: line(MAX_NAME_LENGTH).nullable(),
        })
        .meta({ id: 'KnownVideo' }),
      cached_languages: firstItems(
        namedObject('CachedLanguage', {
          language_code: languageCode,
          kind: captionKind,
          translated: z.boolean().default(false).describe('By machine, from another language'),
          cached_at: z.iso.datetime(),
        }),
        MAX_CACHED_LANGUAGES,
      ),
      caption_tracks: captionTracks,
      original_language: originalLanguage,
      selected: namedObject('SelectedTrack', { language_code: languageCode, kind: captionKind }).nullable(),
    }),
  },
});

/** Failures of the platform that concern no single language. */
const inspectionErrors = operationErrors.filter(
  (code) => code !== 'language_unavailable' && code !== 'translation_refused' && code !== 'relay_attempt_cap',
);

export const languageCommands = commands({
  /**
   * Returns the caption tracks of a video, as a fetch or a look-up of the last day saw them; else asks the platform, without fetching
   * captions. Free; each call counts for the account's day.
   */
  listLanguages: {
    request: z.object({
      accountId: uuid,
      tier,
      accountCreatedAt: z.iso.datetime(),
      videoId,
      /** Answers what is known or `not_cached`, without asking. */
      cacheOnly: z.boolean(),
    }),
    reply: z.object({
      video_id: videoId,
      original_language: originalLanguage,
      tracks: captionTracks,
      translatable: z.boolean().describe('Whether the platform offers translations of a track'),
      checked_at: z.iso.datetime().describe('When the platform said so'),
    }),
    errors: [...inspectionErrors, 'video_languages_cap', 'free_pool_cap', 'not_cached'],
    timeoutMs: COLD_WAIT_MS + HOPS_MS,
  },
});

export const waiveCommands = commands({
  /**
   * Makes a `getTranscript` cost nothing after its caller got a 5xx with an unknown outcome: the request is never charged, an existing
   * charge is refunded, and an operation that is not open yet never opens. A repeat changes nothing.
   */
  waiveRequest: {
    request: transcriptSelection.extend({ accountId: uuid, keyId: uuid, requestId: uuid }),
    reply: z.object({}),
  },

  /** The same for a `pollRequest` that may have reported the charge of the work: the work costs nothing then. */
  waivePoll: {
    request: z.object({ polledId: uuid, accountId: uuid, keyId: uuid, requestId: uuid }),
    reply: z.object({}),
  },
});
