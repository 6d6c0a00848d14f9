import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { HOPS_MS, LISTING_WAIT_MS, PUBLISH_DATES_WAIT_MS, RESOLUTION_WAIT_MS } from '../deadlines.ts';
import { channelId, count, line, namedObject, uuid, videoId } from '../ids.ts';
import { LISTING_PAGE, MAX_LISTED_VIDEOS, MAX_RESOLVED_VIDEOS } from '../limits.ts';
import { listingContents } from '../listing-contents.ts';
import { tier } from '../principal.ts';
import { originalLanguage, publicationDay } from '../transcript.ts';

const MAX_INPUT_LENGTH = 2_048;
/** The platform allows 100 characters. */
const MAX_TITLE_LENGTH = 120;
export const MAX_THUMBNAIL_LENGTH = 150;

/** Whose request it is, and under which slot the limits of the day count. */
export const callerFields = { accountId: uuid, keyId: uuid, limitId: uuid, tier };

/** A found video; unknown facts are null. */
const foundVideo = z.object({
  video_id: videoId,
  title: line(MAX_TITLE_LENGTH).nullable(),
  published_at: publicationDay.nullable(),
  duration: count.nullable().describe('Seconds'),
  thumbnail_url: z.string().max(MAX_THUMBNAIL_LENGTH).nullable(),
  is_short: z.boolean(),
  cached: z.boolean().describe('Whether the shared cache holds a transcript; may be briefly stale'),
  original_language: originalLanguage,
});
export type FoundVideo = z.infer<typeof foundVideo>;

export const listedVideo = foundVideo.extend({ position: count }).meta({ id: 'ListedVideo' });

export const listingPage = z.object({
  state: z.literal('page'),
  source: namedObject('ListingSource', {
    kind: z.enum(['channel', 'playlist', 'list']),
    id: z.string().max(MAX_INPUT_LENGTH),
  }),
  contents: listingContents,
  offset: count,
  videos: z.array(listedVideo).max(LISTING_PAGE),
  counts: namedObject('ListingCounts', { listed: count, cold: count }),
  /** Of the whole listing; null while it is being made. */
  total: count.nullable(),
  next_offset: z.number().int().positive().nullable(),
  omitted: count
    .default(0)
    .describe('Entries not read, a missing last page, or videos beyond 20,000: videos may be missing'),
  /** When the listing was begun: all pages of one walk are of the same moment. */
  listed_at: z.iso.datetime(),
});
export type ListingPage = z.infer<typeof listingPage>;

/** How a question to the platform may fail. */
export const platformErrors = ['ip_blocked', 'rate_limited', 'budget_exhausted', 'upstream_error'] as const;

const sourceErrors = [
  'bulk_input_required',
  'invalid_contents',
  'single_video',
  'selection_expired',
  'source_not_found',
  'channel_resolution_cap',
  'enumeration_cap',
  'data_api_unit_cap',
  ...platformErrors,
] as const;

export const listingCommands = commands({
  /**
   * The id of the channel that a handle, or an address without an id, names. Counts for the account's day, from the cache or not; an
   * id counts nothing and asks no service. Any other text is `invalid_channel`.
   */
  resolveChannel: {
    request: z.object({ accountId: uuid, channel: z.string().min(1).max(MAX_INPUT_LENGTH) }),
    reply: z.object({ channelId }),
    errors: ['invalid_channel', 'source_not_found', 'channel_resolution_cap', ...platformErrors],
    timeoutMs: RESOLUTION_WAIT_MS + HOPS_MS,
  },

  /**
   * A page of at most 500 videos of a channel, a playlist or a resolved list: from a snapshot that all accounts share, or
   * from one that is being made. `pending` if that takes longer than the wait; the work continues, so callers ask again.
   */
  listVideos: {
    request: z.object({
      ...callerFields,
      /** An address, an id, a handle or a list key, as the caller gave it. */
      input: z.string().min(1).max(MAX_INPUT_LENGTH),
      contents: listingContents,
      offset: z.number().int().min(0).max(MAX_LISTED_VIDEOS).multipleOf(LISTING_PAGE),
      waitMs: count.max(LISTING_WAIT_MS),
      /** Rejects with `not_cached` instead of starting a listing. */
      startsNothing: z.boolean(),
    }),
    reply: z.discriminatedUnion('state', [
      // For how long (ms) the same key may be answered this page from memory; 0 while the listing is being made.
      listingPage.extend({ freshForMs: count }),
      z.object({ state: z.literal('pending') }),
    ]),
    errors: [...sourceErrors, 'not_cached'],
    timeoutMs: LISTING_WAIT_MS + HOPS_MS,
  },

  /**
   * Which of these ids are videos that can be seen, in the given order, and a key under which they can be listed. The same
   * videos in the same order have the same key.
   */
  resolveVideos: {
    request: z.object({ ...callerFields, videoIds: z.array(videoId).max(MAX_RESOLVED_VIDEOS) }),
    reply: z.object({
      found: z.array(listedVideo).max(MAX_RESOLVED_VIDEOS),
      notFound: z.array(videoId).max(MAX_RESOLVED_VIDEOS),
      /** Ids for which the platform did not answer. */
      unanswered: z.array(videoId).max(MAX_RESOLVED_VIDEOS),
      list: z.string().nullable(),
    }),
    errors: ['look_up_cap', 'free_pool_cap', 'list_cap', 'data_api_unit_cap', 'budget_exhausted'],
    timeoutMs: LISTING_WAIT_MS + HOPS_MS,
  },

  /** The publish dates of these videos, as far as listings or one round of the Data API know them. Nothing else is asked for them. */
  findPublishDates: {
    request: z.object({ accountId: uuid, tier, videoIds: z.array(videoId).max(MAX_RESOLVED_VIDEOS) }),
    reply: z.object({ dates: z.record(videoId, publicationDay) }),
    timeoutMs: PUBLISH_DATES_WAIT_MS,
  },
});
