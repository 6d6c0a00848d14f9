import { z } from 'zod';
import { MAX_WEBHOOK_URL_LENGTH } from '../bulk-orchestrator/job.ts';
import { commands } from '../contract/define-contract.ts';
import {
  channelId,
  count,
  cursorReply,
  line,
  listWithin,
  monitorId,
  namedObject,
  pageAfter,
  text,
  time,
  uuid,
} from '../ids.ts';
import { mailOfEvent } from '../mail.ts';
import { MAX_WORDS_PER_MONITOR, monitorSource, newVideo, words } from '../monitor-scheduler/monitor.ts';
import { MAX_MATCH_PASSAGES } from '../passages.ts';
import { receiverIds } from '../receiver-ids.ts';
import { languageCode, videoSummary } from '../transcript.ts';
import {
  MAX_LIBRARY_QUERY_LENGTH,
  MAX_MATCH_LENGTH,
  MAX_SENTENCE_LENGTH,
  MAX_URL_LENGTH,
} from './library-commands.ts';
import { MAX_ANSWER_BYTES } from './render-commands.ts';

/** Transcripts that words are tried on: the newest. */
export const MAX_TRIED_TRANSCRIPTS = 10;
export const MAX_MATCHES_PER_PAGE = 100;
/** Monitors of one event. */
export const MAX_WATCHERS_PER_EVENT = 500;

const matchPassage = namedObject('MatchPassage', {
  start: z.number().describe('In seconds: of the caption with the first of the words'),
  text: text(MAX_SENTENCE_LENGTH).describe(
    'The sentence with the words, or the words around them of a long one',
  ),
  words: text(MAX_MATCH_LENGTH)
    .optional()
    .describe('The words that were found, as they stand in text; older matches have none'),
  url: z.string().max(MAX_URL_LENGTH).describe('The video from there on'),
});

/** The channel is null in matches of the release before. */
const matchedVideo = newVideo
  .extend({ channel_title: videoSummary.shape.channel_title.default(null) })
  .meta({ id: 'MatchedVideo' });

const wordsMatch = {
  query: line(MAX_LIBRARY_QUERY_LENGTH).describe('One of the words of the monitor'),
  video: matchedVideo,
  language: languageCode,
  translated: z.boolean().default(false).describe('By machine: nobody said these words'),
  passages: z
    .array(matchPassage)
    .min(1)
    .max(MAX_MATCH_PASSAGES)
    .describe(`The first ${MAX_MATCH_PASSAGES}, in their order: with so many there may be more`),
};

/** A transcript in which words were tried. */
export const triedMatch = namedObject('TriedMatch', wordsMatch);

/** A new video of a monitor in which one of its queries was said. */
export const monitorMatch = namedObject('MonitorMatch', {
  id: uuid.describe('The same in lists, events and mails'),
  ...wordsMatch,
  found_at: time,
});
export type MonitorMatch = z.infer<typeof monitorMatch>;

/** In the list over all monitors. */
export const accountMatch = monitorMatch.extend({ monitor_id: monitorId }).meta({ id: 'Match' });

/** The monitor of a match, and how its account hears of it. */
export const watcher = {
  accountId: uuid,
  monitorId,
  ...monitorSource,
  /** The URL that receives it instead of the account's webhook, and the key that gave this URL. */
  webhookUrl: z.string().max(MAX_WEBHOOK_URL_LENGTH).nullable(),
  webhookKeyId: uuid.nullable(),
  receiverIds: receiverIds.optional(),
  ...mailOfEvent,
};

/** A monitor with its present words. */
const wordsWatch = z.object({ ...watcher, words: words.min(1) });
export type WordsWatch = z.infer<typeof wordsWatch>;

const page = pageAfter(MAX_MATCHES_PER_PAGE);
const watchers = z.array(monitorId).max(MAX_WATCHERS_PER_EVENT);

/** A transcript of monitors can be matched: `matchWords` waits for their present words. */
export const watchedTranscriptIndexed = {
  payload: z.object({ transcriptId: uuid, monitorIds: watchers.min(1) }),
};

/** Words of a monitor were said in a new video; once for each query. Of the release before it asks for a mail, too. */
export const wordsFound = { payload: z.object({ ...watcher, match: monitorMatch }) };

/** A query of a monitor and where it was said. */
export const foundQuery = monitorMatch.pick({ query: true, passages: true });

/** The same once for a video, for who is mailed: the first match, and the other queries. */
export const videoMatched = {
  payload: z.object({
    ...{ accountId: uuid, monitorId, title: monitorSource.title, ...mailOfEvent },
    match: monitorMatch,
    also: z.array(foundQuery).max(MAX_WORDS_PER_MONITOR),
  }),
};

export const wordsCommands = commands({
  /** Throws `invalid_words` if one of the queries names no word to find, or too many. */
  checkWords: {
    request: z.object({ words }),
    reply: z.object({}),
    errors: ['invalid_words'],
    isIdempotent: true,
  },

  /**
   * Matches a transcript, which `watchedTranscriptIndexed` has named, with the words of monitors, and emits `wordsFound`. It then waits for
   * none of `monitorIds` any more. A repeat changes nothing.
   */
  matchWords: {
    request: z.object({
      transcriptId: uuid,
      monitorIds: watchers,
      watches: z.array(wordsWatch).max(MAX_WATCHERS_PER_EVENT),
    }),
    reply: z.object({}),
    isIdempotent: true,
  },

  /** What would match in the account's newest transcripts: of a channel, of a monitor's jobs, or of all. */
  tryWords: {
    request: z.object({
      accountId: uuid,
      words,
      channelId: channelId.nullable(),
      monitorId: monitorId.nullable(),
    }),
    reply: z.object({
      transcripts: z.number().int().min(0).max(MAX_TRIED_TRANSCRIPTS),
      matches: listWithin(triedMatch, MAX_ANSWER_BYTES),
    }),
    errors: ['invalid_words', 'search_in_progress'],
    isIdempotent: true,
  },

  /** The matches of a monitor, newest first. */
  listMatches: {
    request: z.object({ accountId: uuid, monitorId, ...page }),
    reply: z.object({ matches: listWithin(monitorMatch, MAX_ANSWER_BYTES), total: count, ...cursorReply }),
  },

  /** The matches of all monitors of an account, or of one, newest first. */
  listAccountMatches: {
    request: z.object({ accountId: uuid, monitorId: monitorId.optional(), ...page }),
    reply: z.object({ matches: listWithin(accountMatch, MAX_ANSWER_BYTES), total: count, ...cursorReply }),
  },
});
