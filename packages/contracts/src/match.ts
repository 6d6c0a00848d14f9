import { z } from 'zod';
import { line, monitorId, namedObject, text, time, uuid } from './ids.ts';
import { newVideo } from './monitor.ts';
import {
  MAX_LIBRARY_QUERY_LENGTH,
  MAX_MATCH_LENGTH,
  MAX_MATCH_PASSAGES,
  MAX_SENTENCE_LENGTH,
  MAX_URL_LENGTH,
} from './passages.ts';
import { languageCode, videoSummary } from './transcript.ts';

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

/** A query of a monitor and where it was said. */
export const foundQuery = monitorMatch.pick({ query: true, passages: true });
