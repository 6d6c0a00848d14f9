import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { HOPS_MS, SEARCH_WAIT_MS } from '../deadlines.ts';
import { line, namedObject, uuid } from '../ids.ts';
import { callerFields, platformErrors } from './listing-commands.ts';

/** Longest query; the platform cuts longer ones. */
export const MAX_SEARCH_LENGTH = 200;
export const MAX_CONTINUATION_LENGTH = 2_048;
const MAX_CHANNEL_LENGTH = 2_048;
const MAX_TEXT_LENGTH = 200;
const MAX_THUMBNAIL_LENGTH = 500;
const MAX_RESULTS = 200;

export const searchType = z.enum(['video', 'channel', 'playlist']).meta({ id: 'SearchType' });
export type SearchKind = z.infer<typeof searchType>;

/** One result; which of the ids it has says what it is. */
export const searchResult = namedObject('SearchResult', {
  type: searchType,
  video_id: z.string().max(11).optional(),
  channel_id: z.string().max(24).optional(),
  playlist_id: z.string().max(100).optional(),
  title: line(MAX_TEXT_LENGTH).optional(),
  channel_title: line(MAX_TEXT_LENGTH).optional(),
  duration_seconds: z.number().int().nonnegative().nullable(),
  view_count: z.number().int().nonnegative().nullable(),
  published_text: line(MAX_TEXT_LENGTH).nullable(),
  has_captions: z.boolean(),
  thumbnail_url: z.string().max(MAX_THUMBNAIL_LENGTH).nullable(),
  cached: z.boolean().optional(),
});
export type SearchResult = z.infer<typeof searchResult>;

/** What a search may end with: its own failure, for which nothing is charged. */
export const searchErrors = ['source_not_found', ...platformErrors, 'search_settlement_failed'] as const;

export const searchCommands = commands({
  /**
   * One page of results for one credit, charged when it is delivered; nothing on failure, and nothing for the same page of
   * the same key within 60 seconds. `requestId` names it for ever: a repeat charges nothing more.
   */
  searchPage: {
    request: z.object({
      ...callerFields,
      /** Credits that the key may use on one UTC day; null or absent is no cap. */
      dailyCreditCap: z.number().int().positive().nullish(),
      requestId: uuid,
      query: z.string().min(1).max(MAX_SEARCH_LENGTH),
      type: searchType,
      channel: z.string().min(1).max(MAX_CHANNEL_LENGTH).nullable(),
      continuation: z.string().min(1).max(MAX_CONTINUATION_LENGTH).nullable(),
    }),
    reply: z.object({
      results: z.array(searchResult).max(MAX_RESULTS),
      continuation: z.string().max(MAX_CONTINUATION_LENGTH).nullable(),
      creditsCharged: z.number().int().nonnegative(),
      /** Credits that the account can spend now, if known. */
      creditsLeft: z.number().int().nonnegative().optional(),
    }),
    errors: [
      ...searchErrors,
      'invalid_channel',
      'invalid_continuation',
      'channel_resolution_cap',
      'search_in_progress',
      'search_attempt_cap',
      'insufficient_credits',
      'account_frozen',
      'account_closed',
      'daily_credit_cap',
    ],
    timeoutMs: SEARCH_WAIT_MS + HOPS_MS,
  },

  /** The caller of a `searchPage` was answered with a 5xx, so it must cost nothing, before or after it came here. */
  waiveSearch: {
    request: z.object({ accountId: uuid, keyId: uuid, requestId: uuid }),
    reply: z.object({}),
  },
});
