import {
  languageTag,
  libraryIndex,
  libraryPassage,
  libraryTranscript,
  MAX_FOUND_PASSAGES,
  MAX_LIBRARY_PAGE,
  MAX_MONITOR_INPUT_LENGTH,
  MAX_RANKED_PASSAGES,
  monitorId,
  passageCursor,
  search,
  transcriptFetcher,
  triedMatch,
  uuid,
  videoId,
} from '@tds/contracts';
import { z } from 'zod';
import {
  afterField,
  growingPageFields,
  libraryQuery,
  listFormat,
  monitorWords,
  pageFields,
  tableAnswer,
} from '../common-fields.ts';
import { defineRoutes, field, okAnswer } from '../define-route.ts';

const TRANSCRIPTS_BY_DEFAULT = 20;
const PASSAGES_BY_DEFAULT = 10;

/** Which transcripts of the library are meant; each filter narrows the others. */
const filters = {
  job_id: field(uuid.optional(), 'invalid_job_id', 'Only what this job delivered'),
  video_id: field(videoId.optional(), 'invalid_video_id', 'Only transcripts of this video'),
  language: field(
    languageTag.optional().meta({ examples: ['en', 'pt-BR'] }),
    'invalid_language',
    'Only transcripts in this language; without a region, in all of its regions',
  ),
};

export const libraryRoutes = defineRoutes('Library', {
  listLibrary: {
    method: 'GET',
    path: '/v1/library',
    calls: [transcriptFetcher.listLibrary],
    access: 'key-or-session',
    scope: 'read',
    summary: 'List the transcripts that you have received, newest first',
    description:
      'Everything that was delivered to a key of the account or to one of its jobs, fetched or from the cache, once for each language and kind of a video, with the time of its first delivery. It lists facts and no text; text is for keys. Costs 0 credits. The newest 100,000 are kept. What came by jobs alone goes when the last of them is deleted, which jobs are after 180 days; all of it goes when the account is closed. Cached reads are listed some seconds later; the last second of a killed gateway is lost until the transcript is read again. It begins with what was delivered in the week before 2026-11-27.',
    query: { ...filters, format: listFormat, ...growingPageFields(MAX_LIBRARY_PAGE, TRANSCRIPTS_BY_DEFAULT) },
    responses: {
      200: tableAnswer('A page of transcripts', 'Library', { transcripts: z.array(libraryTranscript) }),
    },
  },

  searchLibrary: {
    method: 'GET',
    path: '/v1/library/search',
    calls: [transcriptFetcher.searchLibrary],
    access: 'key',
    scope: 'read',
    summary: 'Find what was said in the transcripts that you have received',
    description:
      'Finds passages that have all words of q, best first: where they stand close together, then in newer transcripts. Words in double quotes are a phrase; -word and -"a phrase" leave out passages that have them. Case, accents and vowel marks do not count, nor do endings in the languages that /docs/search lists, with the spellings that are found alike. Chinese, Japanese, Korean, Thai and other scripts without spaces are found by any of their characters. What goes on in the first twelve words of the next passage is found where it begins, once, and no word is too common to be found. Other signs separate words and mean nothing else. match has the words that were found, as far as they stand in text, their sentence, and the second of their caption, where url opens the video; start is that of the passage. Costs 0 credits. A delivery can be found some seconds later if the account has signed in or searched; what it received before that becomes findable then, the newest first, a hundred transcripts a second. A search waits three seconds for it; if that is too short, is_complete is false, and index says how many transcripts can be found and whether the rest is on its way. After an upgrade that reads words in another way it says the same of transcripts that are found by some of their words only, until they are indexed again, the newest first. A CSV says so in its header X-Is-Complete and in its last line. At most the first 1,000 passages in the newest 1,000 transcripts with these words are ranked, fewer if these are very long or q has many words; is_complete says whether that was all. What is more than the words of a day of speech is not found. An account searches once at a time, and others of it wait; after one that took longer than two seconds the next is 429 search_in_progress for some seconds. Only your own transcripts are searched, and nothing of other accounts shows in results, totals or times.',
    query: {
      q: field(libraryQuery, 'invalid_library_query', 'Words, "phrases" and -exclusions; at most 32 words'),
      ...filters,
      format: listFormat,
      ...pageFields(MAX_FOUND_PASSAGES, PASSAGES_BY_DEFAULT, MAX_RANKED_PASSAGES),
      after: afterField(passageCursor),
    },
    responses: {
      200: tableAnswer('A page of passages', 'FoundPassages', {
        results: z.array(libraryPassage),
        is_complete: z
          .boolean()
          .describe(
            'False if there was more to look through (name more words, or a job or a video), or if something is not findable yet',
          ),
        index: libraryIndex.optional(),
      }),
    },
  },

  tryWords: {
    method: 'POST',
    path: '/v1/library/words',
    calls: [transcriptFetcher.tryWords, search.resolveChannel],
    access: 'key',
    scope: 'read',
    changesNothing: true,
    summary: 'Try the words of a monitor on what you have received',
    description:
      'Shows what a monitor with these words would have found in the ten newest transcripts of the account: those of a channel, those of the jobs of a monitor, or all. Words are read as in GET /v1/library/search, and take their turn with the searches of the account: what two seconds are too short for is left out, and the next request is then 429 search_in_progress for some seconds. Of captions that have more than three of the words of a query in every passage, the last ones may not be read. Costs 0 credits and saves nothing.',
    body: {
      words: field(monitorWords.min(1), 'invalid_words', 'Up to 20 queries: words, "phrases" and -exclusions'),
      channel: field(
        z.string().min(1).max(MAX_MONITOR_INPUT_LENGTH).optional(),
        'invalid_channel',
        'Only transcripts of this channel: a UC channel id, a channel URL or a handle',
      ),
      monitor_id: field(monitorId.optional(), 'invalid_monitor_id', 'Only transcripts of its jobs'),
    },
    responses: {
      200: okAnswer('What was found', 'TriedWords', {
        transcripts: transcriptFetcher.tryWords.reply.shape.transcripts.describe('How many were read'),
        matches: z.array(triedMatch),
        hint: z.string().nullable().describe('What to do if there was no transcript to read'),
      }),
    },
    errors: ['conflicting_query_modes'],
  },
});
