import {
  citationFormat,
  languageDelivery,
  transcriptFetcher,
  transcriptFormat,
  uuid,
  videoDetails,
  videoId,
} from '@tds/contracts';
import { z } from 'zod';
import { frontMatter, language, optionalWholeNumber, passageFields, queryBoolean } from '../common-fields.ts';
import { defineRoutes, field, okAnswer, okBody } from '../define-route.ts';

const MAX_URL_LENGTH = 2_048;
/** The longest videos have some days. */
const MAX_SECOND = 9_999_999;

/** The file of a transcript in the format json. */
export const cues = z
  .array(
    z
      .object({
        start: z.number(),
        duration: z.number(),
        text: z.string(),
        words: z
          .array(z.object({ start: z.number(), text: z.string() }).meta({ id: 'Word' }))
          .nullable()
          .optional()
          .describe('With words=true: null for written captions, and for transcripts cached without them'),
      })
      .meta({ id: 'Cue', description: 'In seconds' }),
  )
  .meta({ id: 'Cues' });

export const passages = z
  .array(
    z
      .object({
        start: z.number(),
        end: z.number(),
        text: z.string(),
        url: z.string().describe('The video from this passage on'),
        chapters: z.array(z.string()).optional().describe('The titles of chapters that begin with it'),
      })
      .meta({ id: 'Passage', description: 'Some sentences; start and end in seconds' }),
  )
  .meta({ id: 'Passages' });

const delivery = { video: videoDetails, language: languageDelivery, fetched_at: z.iso.datetime() };
const { json, ...texts } = transcriptFormat.enum;

export const transcriptBody = z
  .discriminatedUnion('format', [
    okBody('JsonTranscript', { ...delivery, format: z.literal(json), cues, passages: passages.optional() }),
    okBody('TextTranscript', { ...delivery, format: z.enum(texts), text: z.string() }),
  ])
  .meta({
    id: 'Transcript',
    discriminator: {
      propertyName: 'format',
      mapping: {
        ...Object.fromEntries(Object.keys(texts).map((format) => [format, '#/$defs/TextTranscript'])),
        json: '#/$defs/JsonTranscript',
      },
    },
  });

export const pendingBody = okBody('PendingTranscript', {
  status: z.literal('pending'),
  request_id: uuid,
  poll_url: z.string().describe('Relative URL; request it with the same key'),
});

const videoAddress = z.string().min(1).max(MAX_URL_LENGTH).optional();

/** The one video of a request. */
export const videoFields = {
  video_id: field(
    videoId.meta({ examples: ['dQw4w9WgXcQ'] }).optional(),
    'invalid_video_id',
    'The 11-character id of the video',
  ),
  input: field(videoAddress, 'invalid_video_id', 'A video URL of any shape, or a bare id'),
  url: field(videoAddress, 'invalid_video_id', 'A video URL of any shape'),
};

/** What a file of a transcript says of its language. */
export const languageHeaders = [
  'Content-Language',
  'X-Transcript-Language-Requested',
  'X-Transcript-Fallback',
  'X-Transcript-Translation',
  'X-Transcript-Kind',
] as const;

export const transcriptRoutes = defineRoutes('Transcripts', {
  getTranscript: {
    method: 'GET',
    path: '/v1/transcript',
    calls: [transcriptFetcher.getTranscript, transcriptFetcher.pollRequest],
    access: 'key',
    scope: 'read',
    takesIdempotencyKey: 'for a week, with refresh=true',
    summary: 'Get a transcript, from the cache or fetched',
    description:
      'Send exactly one of video_id, input and url (start or read) and request_id (poll). A cache hit costs 0 credits, a delivery 1, a failure 0. HEAD says what is cached and starts nothing: 404 not_cached if a GET would have to fetch. The JSON is the same for HIT and MISS. A transcript keeps what was known of its video when it was fetched; GET /v1/video has what became known later. Each account that waits for the same new track pays 1; parallel requests of one account for one track pay 1 together, which one X-Credits-Charged reports. Polls are free, wait a few seconds for news and work for 24 hours (request_expired, after seven days request_not_found); without format they use that of the first request. Facts that last (private, deleted, no captions, language unavailable) are remembered for seven days, a refusal in a country for one, with Retry-After; what only some clients of the platform say is retryable, and remembered for ten minutes. Videos that are live, upcoming, for members first, just ended or still processed and have no captions are transcript_not_ready, with the seconds until the next look or the announced start, a day at most. A translation that fails in any way counts as refused, which is remembered for 60 seconds: meanwhile fallback requests get the labelled fallback, strict ones translation_refused. A fallback whose source track is cached costs 0. language=orig is the language that is spoken, manual captions before recognised ones; if the platform does not say it, the transcript is a labelled fallback, in strict mode language_unavailable. A list such as language=de,en delivers the first language that has a track of its own, which is no fallback, also in strict mode; if none has one, it is answered like its first language, orig apart. It costs 1 at most. Recognised speech, a translation or a fallback of a video younger than 30 days is replaced within a day of reads if the platform has a better track, for nothing. refresh=true asks at once, at any age, for 1 even if the captions are the same; if those of the platform are worse, the cached ones are delivered for 0. Other caches follow within ten minutes; what was delivered stays as it is. A track without a word is passed over for the next; if all are empty, no_captions is remembered for an hour. With format=json, passages=true adds passages beside the cues, for search indexes and models: sentences joined to at most passage_characters characters. A change of speaker and a chapter begin one; no word is changed, added or lost. start is that of the caption with the first word. It cannot go with raw=1. If the routes to the platform failed after the 202, they are asked once more before a poll gets the error.',
    query: {
      ...videoFields,
      request_id: field(uuid.optional(), 'invalid_request_id', 'The polling id of an earlier 202'),
      format: field(
        transcriptFormat.optional().meta({ default: 'both' }),
        'invalid_format',
        'The format of the transcript; poll_url already names it',
      ),
      language,
      fallback: field(
        queryBoolean(true),
        'invalid_fallback',
        'false is strict mode: the requested language or an error',
      ),
      words: field(
        queryBoolean(false),
        'invalid_words',
        'With format=json: each cue has the times of its words, as the platform recognised them',
      ),
      refresh: field(
        queryBoolean(false),
        'invalid_refresh',
        'true asks the platform although a transcript is cached, for 1 credit if it delivers. With an Idempotency-Key, a repeat costs nothing more',
      ),
      raw: field(queryBoolean(false), 'invalid_raw', '1 returns the file itself instead of JSON'),
      ...passageFields,
      front_matter: frontMatter,
    },
    responses: {
      200: {
        description:
          'The transcript; with raw=1 the file itself (for format json, the array of cues), and headers name its language.',
        schema: z.union([transcriptBody, cues]),
        files: ['text/plain', 'application/x-subrip', 'text/vtt', 'text/markdown'],
        headers: ['X-Cache', 'Vary', 'Content-Disposition', ...languageHeaders],
      },
      202: {
        description: 'Still being fetched after 25 seconds; poll for it',
        schema: pendingBody,
        headers: ['X-Cache', 'Retry-After'],
      },
    },
    errors: [
      'unknown_query_mode',
      'conflicting_query_modes',
      'concurrency_cap',
      'cache_read_cap',
      'not_cached',
    ],
  },

  getVideo: {
    method: 'GET',
    path: '/v1/video',
    calls: [transcriptFetcher.getVideoFacts],
    access: 'key',
    scope: 'read',
    summary: 'Get the known facts of a video; never fetches',
    description:
      'Send exactly one of video_id, input and url. Costs 0 credits. description, tags, view_count, thumbnail_url and chapters are what the platform said of the video when its captions were last fetched; null is unknown. fetched_at is when the service learnt what status says. A broadcast without captions, and a new video whose captions may still come, is unknown. The address of a channel or playlist is single_video_required.',
    query: videoFields,
    responses: { 200: okAnswer('Facts', 'VideoFacts', transcriptFetcher.getVideoFacts.reply.shape) },
    errors: ['unknown_query_mode', 'conflicting_query_modes', 'single_video_required'],
  },

  citeVideo: {
    method: 'GET',
    path: '/v1/video/citation',
    calls: [transcriptFetcher.getVideoFacts],
    access: 'key',
    scope: 'read',
    summary: 'Cite a video, or a second of it',
    description:
      'Send exactly one of video_id, input and url. A reference of what GET /v1/video knows: channel, day, title, address and the UTC day of access. Fetches nothing and costs 0 credits. What is unknown is left out; without title and channel it is video_not_known. apa is a line in APA 7, which names the day of access only without that of publication; bibtex also serves BibLaTeX. A channel is one name, never first and last; in ris its commas, which would split it, become spaces, and one ends it. The key is the id of the video, or begins with video: if programs could not cite that.',
    query: {
      ...videoFields,
      format: field(
        citationFormat.default('apa'),
        'invalid_citation_format',
        'What the reference is written in',
      ),
      at: field(
        optionalWholeNumber(0, MAX_SECOND),
        'invalid_at',
        'A second of the video, to which the address then leads',
      ),
    },
    responses: {
      200: {
        description: 'The reference',
        files: [
          'text/plain',
          'application/x-bibtex',
          'application/x-research-info-systems',
          'application/vnd.citationstyles.csl+json',
        ],
      },
    },
    errors: ['unknown_query_mode', 'conflicting_query_modes', 'single_video_required', 'video_not_known'],
  },

  listLanguages: {
    method: 'GET',
    path: '/v1/video/languages',
    calls: [transcriptFetcher.listLanguages],
    access: 'key',
    scope: 'read',
    startsWork: true,
    summary: 'List the languages of a video, without a transcript',
    description:
      'Send exactly one of video_id, input and url. Returns the caption tracks of the video, the language that is spoken, and whether the platform translates. Costs 0 credits. The answer is that of the last transcript or look-up within a day; else the platform is asked once, without its captions. A video that cannot be seen or has no captions gets the error that its transcript would get. An account may ask 1,000 times a day, cached or not (video_languages_cap); of a free one, 100 of these may ask the platform, 25 while it is new, and they count in the pool of free accounts (free_pool_cap). HEAD asks nothing: 404 not_cached if a GET would have to.',
    query: videoFields,
    responses: {
      200: {
        ...okAnswer('The tracks of the video', 'VideoLanguages', transcriptFetcher.listLanguages.reply.shape),
        headers: ['Vary'],
      },
    },
    errors: ['unknown_query_mode', 'conflicting_query_modes', 'single_video_required'],
  },
});
