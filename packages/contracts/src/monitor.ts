import { z } from 'zod';
import { channelId, count, line, madeBy, monitorId, namedObject, time, uuid, videoId } from './ids.ts';
import { MAX_WEBHOOK_URL_LENGTH } from './job.ts';
import { MAX_PREFERENCE_LENGTH } from './language-preference.ts';
import { listingContents } from './listing-contents.ts';
import { monitorMail } from './mail.ts';
import { MAX_LIBRARY_QUERY_LENGTH } from './passages.ts';
import { receiverIds } from './receiver-ids.ts';
import { publicationDay } from './transcript.ts';

/** Monitors in one answer; the newest ones if the account has more. */
export const MAX_LISTED_MONITORS = 1_000;
/** Videos of a monitor in one answer. */
export const MAX_MONITOR_VIDEOS_PER_PAGE = 100;
export const MAX_MONITOR_INPUT_LENGTH = 2_048;
/** Queries of one monitor. */
export const MAX_WORDS_PER_MONITOR = 20;
/** Videos of one event. */
export const MAX_VIDEOS_PER_EVENT = 100;
const MAX_TITLE_LENGTH = 120;
const MAX_ERROR_LENGTH = 300;

export const playlistId = z.string().regex(/^[\w-]{2,100}$/);

export const monitorStatus = z.enum(['active', 'paused', 'cancelled']).meta({ id: 'MonitorStatus' });

/** In the order of precedence: the first one that holds is shown. */
export const monitorPauseReason = z
  .enum(['key_revoked', 'tier_limit', 'webhook_missing', 'feed_unavailable', 'insufficient_credits'])
  .meta({ id: 'MonitorPauseReason' });
export type MonitorPauseReason = z.infer<typeof monitorPauseReason>;

/** The source of a monitor: one of the two. */
export const monitorSource = {
  channel: channelId.nullable().describe('The channel that it watches; null if it watches a playlist'),
  playlist: playlistId.nullable().describe('The playlist that it watches; null if it watches a channel'),
  title: line(MAX_TITLE_LENGTH).nullable().describe('What the platform calls it; null if it has not said'),
};

/** The queries of a monitor, each once, in the language of searches in a library. */
export const words = z.array(line(MAX_LIBRARY_QUERY_LENGTH)).max(MAX_WORDS_PER_MONITOR);

/** What can be changed. */
export const monitorSettings = {
  autoFetch: z.boolean(),
  words,
  mail: monitorMail,
  mailOnlyMatches: z.boolean(),
};

export const monitor = namedObject('Monitor', {
  id: monitorId,
  status: monitorStatus,
  pause_reason: monitorPauseReason.nullable(),
  ...monitorSource,
  contents: listingContents
    .default('all')
    .describe('videos, shorts or streams if it watches that list of a channel, whose id is playlist; else all'),
  auto_fetch: z.boolean(),
  words: words.default([]).describe('What is looked for in the transcripts of new videos'),
  mail: monitorMail
    .default('none')
    .describe(
      'When who made it is mailed, unless they chose otherwise since: at once, once a day, once a week, or never',
    ),
  mail_only_matches: z
    .boolean()
    .default(false)
    .describe('Whether only matches of words are mailed, not new videos without one'),
  language: z.string().max(MAX_PREFERENCE_LENGTH),
  fallback: z.boolean(),
  webhook_url: z.string().max(MAX_WEBHOOK_URL_LENGTH).nullable(),
  receivers: receiverIds
    .default([])
    .describe(
      'The receivers that alone get its events, and those of its jobs; empty: all that are not named_only',
    ),
  key_id: uuid
    .nullable()
    .describe(
      'The key that created or resumed it, or changed its auto_fetch or words last, whose daily credit cap holds for its jobs; null if a session did',
    ),
  new_videos: count.describe('Found since the monitor was created, also while it was paused'),
  last_checked_at: time.nullable(),
  next_check_at: time
    .nullable()
    .describe('About when its source is looked at again; null once it is cancelled'),
  consecutive_failures: count.describe('0 after a check that succeeded'),
  last_error: line(MAX_ERROR_LENGTH)
    .nullable()
    .describe('Why the last check, or the last automatic job, failed'),
  created_at: time,
  cancelled_at: time.nullable(),
  person_id: madeBy,
});
export type Monitor = z.input<typeof monitor>;

/** A new video in events of a monitor. */
export const newVideo = namedObject('NewVideo', {
  video_id: videoId,
  title: line(MAX_TITLE_LENGTH).nullable(),
  published_at: publicationDay.nullable(),
});
export type NewVideo = z.infer<typeof newVideo>;

/** A video that a monitor has found. */
export const monitorVideo = newVideo
  .extend({
    found_at: time,
    job_id: uuid.nullable().describe('The automatic job that fetches it; null if there is none, or none yet'),
  })
  .meta({ id: 'MonitorVideo' });
export type MonitorVideo = z.infer<typeof monitorVideo>;
