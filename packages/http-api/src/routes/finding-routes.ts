import {
  keyState,
  LISTING_PAGE,
  listedVideo,
  listingContents,
  listingPage,
  MAX_CONTINUATION_LENGTH,
  MAX_LISTED_VIDEOS,
  MAX_SEARCH_LENGTH,
  namedObject,
  search,
  searchResult,
  searchType,
  videoId,
} from '@tds/contracts';
import { z } from 'zod';
import { searchWords, wholeNumberText } from '../common-fields.ts';
import { defineRoutes, field, okBody } from '../define-route.ts';

const MAX_ADDRESS_LENGTH = 2_048;
const MAX_TEXT_LENGTH = 1_048_576;
/** Room for JSON's escapes. */
const MAX_TEXT_BODY_BYTES = 4 * MAX_TEXT_LENGTH;
const MAX_VALUE_LENGTH = 2_048;

const sourceAddress = z.string().min(1).max(MAX_ADDRESS_LENGTH).optional();

const pageOffset = wholeNumberText(0, MAX_LISTED_VIDEOS)
  .refine((offset) => offset % LISTING_PAGE === 0)
  .default(0)
  .meta({
    type: 'integer',
    pattern: undefined,
    minimum: 0,
    maximum: MAX_LISTED_VIDEOS,
    multipleOf: LISTING_PAGE,
    default: 0,
  });

const listingBody = okBody('VideoListing', listingPage.omit({ state: true }).shape);

const pendingListingBody = okBody('PendingListing', {
  status: z.literal('pending'),
  poll_url: z.string().describe('Relative URL; request it with the same key'),
});

const resolvedBody = okBody('ResolvedVideos', {
  found: z.array(listedVideo),
  notFound: z.array(
    namedObject('UnresolvedValue', {
      value: z.string().max(MAX_VALUE_LENGTH).describe('As written in the text'),
      video_id: videoId.nullable(),
      reason: z
        .enum(['unavailable', 'try_again', 'malformed', 'not_a_video'])
        .describe(
          'try_again: the platform did not answer; repeat the request later. not_a_video: a link of the platform to something else',
        ),
    }),
  ),
  list: z.string().nullable().describe('list:<key> of the found videos; null if none was found'),
});

const searchBody = okBody('SearchPage', {
  results: z.array(searchResult),
  continuation: z.string().nullable().describe('Send it unchanged with the same q, type and channel'),
  has_more: z.boolean(),
});

export const findingRoutes = defineRoutes('Finding videos', {
  listVideos: {
    method: 'GET',
    path: '/v1/videos',
    calls: [search.listVideos],
    access: 'key',
    scope: 'read',
    startsWork: true,
    summary: 'List the videos of a channel, a playlist or a resolved list',
    description:
      'Send exactly one of url and input. Up to 500 videos a page; pass next_offset for the next one. Listings are shared and kept for an hour, so recent uploads may be missing; all pages of one walk show the same moment. A new listing counts towards 25 a day, once per input. Costs 0 credits. The first page is answered as soon as 501 videos are found; later pages belong to the listing of the first one for two days. cached is up to five seconds old. Facts that the platform does not give are null: its pages have no dates, its Data API no durations. In an ordinary playlist is_short is only what the platform marks. A video that stands in a list twice is listed once. A listing ends after 20,000 videos: if there are more, omitted is at least 1. An account may have 1,000 channel names a day resolved (channel_resolution_cap); ids do not count. A missing source is source_not_found, repeated for a minute without asking. HEAD begins no listing: 404 not_cached.',
    query: {
      url: field(
        sourceAddress.meta({ examples: ['https://www.youtube.com/@handle', 'list:<key>'] }),
        'bulk_input_required',
        'A channel or playlist URL, a handle, an id, or list:<key>',
      ),
      input: field(sourceAddress, 'bulk_input_required', 'Alias of url'),
      contents: field(
        listingContents.optional(),
        'invalid_contents',
        'videos excludes Shorts and streams; shorts has only Shorts, streams only broadcasts of a channel. Default: the tab in url (/shorts, /videos, /streams), else all',
      ),
      offset: field(pageOffset, 'invalid_offset', 'next_offset of the previous page'),
    },
    responses: {
      200: { description: 'A page of the listing', schema: listingBody, headers: ['Vary'] },
      202: {
        description: 'The listing is not complete after 25 seconds; repeat the request',
        schema: pendingListingBody,
        headers: ['Retry-After'],
      },
    },
    errors: ['unknown_query_mode', 'conflicting_query_modes'],
  },

  resolveVideos: {
    method: 'POST',
    path: '/v1/videos/resolve',
    calls: [search.resolveVideos],
    changesNothing: true,
    access: 'key',
    scope: 'read',
    startsWork: true,
    summary: 'Turn any text into a list of videos',
    description:
      'Finds links of every shape and bare ids in the text, at most 500 different videos, and says which of them can be seen. GET /v1/videos?url=list:<key> lists them later; the same videos in the same order have the same key. Costs 0 credits. Videos come in order of appearance. A bare id counts alone on its line, in a cell or a list, and behind a name such as id or youtube; a word of 11 letters in a sentence is none. A text without any is empty_list; more than 500 videos or 2,000 links is list_too_large. A look-up is believed for a day, that a video cannot be seen for an hour; one that takes 20 seconds is try_again. An account may look up about 5,000 unknown videos a day, 50,000 if paid (look_up_cap); where each costs a request to the platform, a free one 1,000, of 5,000 of all free accounts (free_pool_cap); it may make 200 new lists (list_cap). A list that is unused for 30 days is selection_expired.',
    // A read, but its text is too long for a URL.
    keyStates: keyState.options,
    body: {
      text: field(z.string().min(1).max(MAX_TEXT_LENGTH), 'invalid_text', 'Any text, at most 1 MiB'),
    },
    largestBodyBytes: MAX_TEXT_BODY_BYTES,
    responses: {
      200: { description: 'The videos that the text names', schema: resolvedBody, headers: ['Vary'] },
    },
    errors: ['empty_list', 'list_too_large', 'concurrency_cap'],
  },

  searchPage: {
    method: 'GET',
    path: '/v1/search',
    calls: [search.searchPage],
    access: 'key',
    scope: 'fetch',
    startsWork: true,
    summary: 'Search videos, channels or playlists, or inside a channel',
    description:
      'A page costs 1 credit when it is delivered, also an empty one; a failure costs 0. The same request of the same key within 60 seconds gets the same page for 0 credits. Inside a channel the type is video. A continuation works for a week, for the account, q, type and channel of its page. A page counts towards the day from its admission until it fails; search_attempt_cap stands for both limits. HEAD searches nothing: 404 not_cached.',
    query: {
      q: field(searchWords(MAX_SEARCH_LENGTH, 'harbour cranes'), 'invalid_search_query', 'What to search for'),
      type: field(
        searchType.default('video').meta({ default: 'video' }),
        'invalid_search_type',
        'The kind of result',
      ),
      channel: field(
        z.string().min(1).max(MAX_ADDRESS_LENGTH).optional(),
        'invalid_channel',
        'Search inside this channel: a handle, a channel URL or an id',
      ),
      continuation: field(
        z
          .string()
          .max(MAX_CONTINUATION_LENGTH, { abort: true })
          .regex(/^[A-Za-z0-9_%+=/-]+$/)
          .optional(),
        'invalid_continuation',
        'continuation of the previous page',
      ),
    },
    responses: { 200: { description: 'A page of results', schema: searchBody, headers: ['Vary'] } },
    errors: ['not_cached'],
  },
});
