import { z } from 'zod';
import { MAX_WEBHOOK_URL_LENGTH } from '../bulk-orchestrator/job.ts';
import { commands } from '../contract/define-contract.ts';
import { HOPS_MS, MONITOR_WAIT_MS } from '../deadlines.ts';
import { idempotencyKey } from '../idempotency-key.ts';
import { tier } from '../identity/principal.ts';
import {
  channelId,
  count,
  line,
  listWithin,
  madeBy,
  monitorId,
  namedObject,
  pageOf,
  time,
  uuid,
  videoId,
} from '../ids.ts';
import { MAX_PREFERENCE_LENGTH } from '../language-preference.ts';
import { monitorMail } from '../mail.ts';
import { receiverIds } from '../receiver-ids.ts';
import { search } from '../search/contract.ts';
import { listingContents } from '../search/listing-commands.ts';
import { publicationDay } from '../transcript.ts';
import { MAX_LIBRARY_QUERY_LENGTH } from '../transcript-fetcher/library-commands.ts';
import { webhookDispatcher } from '../webhook-dispatcher/contract.ts';

/** Monitors in one answer; the newest ones if the account has more. */
export const MAX_LISTED_MONITORS = 1_000;
/** Videos of a monitor in one answer. */
export const MAX_MONITOR_VIDEOS_PER_PAGE = 100;
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

/** What a message holds, with room to spare. */
const MAX_REPLY_BYTES = 400_000;
export const MAX_MONITOR_INPUT_LENGTH = 2_048;

const owned = { accountId: uuid, monitorId };
/** The key that asks, or null for a session; absent from the release before, which changes all. */
const by = { keyId: uuid.nullable().optional() };
const input = z.string().min(1).max(MAX_MONITOR_INPUT_LENGTH);

export const monitorCommands = commands({
  /**
   * Watches a channel or a playlist; the videos in its feed now are not new. `isIdempotent` if nothing was created: the same
   * Idempotency-Key has created a monitor before, whatever became of that, or the account watches this source already.
   */
  createMonitor: {
    request: z.object({
      accountId: uuid,
      tier,
      keyId: uuid.nullable(),
      personId: uuid.nullish(),
      idempotencyKey: idempotencyKey.nullable(),
      source: z.union([
        /** All of it, if it does not say. */
        z.object({ channel: input, contents: listingContents.optional() }),
        z.object({ playlist: input }),
      ]),
      autoFetch: z.boolean(),
      words: words.default([]),
      mail: monitorMail.default('none'),
      mailOnlyMatches: z.boolean().default(false),
      language: z.string().max(MAX_PREFERENCE_LENGTH),
      fallback: z.boolean(),
      webhookUrl: z.string().max(MAX_WEBHOOK_URL_LENGTH).nullable(),
      receivers: receiverIds.optional(),
    }),
    reply: z.object({ monitor, isIdempotent: z.boolean() }),
    errors: [
      'invalid_channel',
      'invalid_playlist',
      'monitor_limit',
      'monitor_creation_cap',
      'invalid_words',
      'words_need_auto_fetch',
      ...search.resolveChannel.errors,
      ...webhookDispatcher.checkWebhookUrl.errors,
      ...webhookDispatcher.checkReceivers.errors,
    ],
    timeoutMs: MONITOR_WAIT_MS + HOPS_MS,
  },

  /** Those that are not cancelled first, each group newest first; as many as fit into the reply. */
  listMonitors: {
    request: z.object({ accountId: uuid, ...pageOf(MAX_LISTED_MONITORS) }),
    reply: z.object({ monitors: listWithin(monitor, MAX_REPLY_BYTES), total: count }),
  },

  getMonitor: { request: z.object(owned), reply: z.object({ monitor }), errors: ['monitor_not_found'] },

  /** The videos that it has found, newest first; the last 100 once it is cancelled. */
  listMonitorVideos: {
    request: z.object({ ...owned, ...pageOf(MAX_MONITOR_VIDEOS_PER_PAGE) }),
    reply: z.object({ videos: z.array(monitorVideo).max(MAX_MONITOR_VIDEOS_PER_PAGE), total: count }),
    errors: ['monitor_not_found'],
  },

  /**
   * Changes what is given. Videos from then on are fetched if it fetches now; words count for transcripts that are not matched yet. If it
   * fetches and this or its words changed, it is one of the asking key from then on, unless it waits for a key.
   */
  changeMonitor: {
    request: z.object({
      ...{ ...owned, ...by, receivers: receiverIds.optional() },
      ...z.object(monitorSettings).partial().shape,
    }),
    reply: z.object({ monitor }),
    errors: [
      ...(['monitor_not_found', 'invalid_words', 'words_need_auto_fetch', 'begun_by_another_key'] as const),
      ...webhookDispatcher.checkReceivers.errors,
    ],
    isIdempotent: true,
  },

  /** Nothing is looked for any more; jobs that it has begun go on. Repeating it changes nothing. */
  cancelMonitor: {
    request: z.object({ ...owned, ...by }),
    reply: z.object({ monitor }),
    errors: ['monitor_not_found', 'begun_by_another_key'],
  },

  /**
   * A monitor whose key was revoked goes on as one of the requesting key, without the webhook URL that the old key gave. Answers any
   * other one unchanged.
   */
  resumeMonitor: {
    request: z.object({ ...owned, keyId: uuid.nullable() }),
    reply: z.object({ monitor }),
    errors: ['monitor_not_found'],
  },
});
