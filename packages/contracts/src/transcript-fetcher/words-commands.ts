import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { channelId, count, cursorReply, listWithin, monitorId, pageAfter, uuid } from '../ids.ts';
import { MAX_WEBHOOK_URL_LENGTH } from '../job.ts';
import { mailOfEvent } from '../mail.ts';
import { accountMatch, foundQuery, monitorMatch, triedMatch } from '../match.ts';
import { MAX_WORDS_PER_MONITOR, monitorSource, words } from '../monitor.ts';
import { receiverIds } from '../receiver-ids.ts';
import { MAX_ANSWER_BYTES } from './render-commands.ts';

/** Transcripts that words are tried on: the newest. */
export const MAX_TRIED_TRANSCRIPTS = 10;
export const MAX_MATCHES_PER_PAGE = 100;
/** Monitors of one event. */
export const MAX_WATCHERS_PER_EVENT = 500;

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
