import { z } from 'zod';
import { line, namedObject } from '../bounded.ts';
import { LONGEST_WEBHOOK_URL } from '../bulk-orchestrator/job.ts';
import { channelId, LONGEST_LANGUAGE_TAG, monitorId, uuid, videoId } from '../ids.ts';
import { publicationDay } from '../transcript.ts';

/** Of one account; the newest ones where it has had more. */
export const MOST_LISTED_MONITORS = 1_000;
/** Videos of a monitor in one answer. */
export const MOST_MONITOR_VIDEOS_A_PAGE = 100;
/** Videos of one event. */
export const MOST_VIDEOS_AN_EVENT = 100;
const LONGEST_TITLE = 120;
const LONGEST_ERROR = 300;

const count = z.number().int().nonnegative();
const time = z.iso.datetime();

export const playlistId = z.string().regex(/^[\w-]{2,100}$/);

export const monitorStatus = z.enum(['active', 'paused', 'cancelled']).meta({ id: 'MonitorStatus' });

/** The one that is shown first, first. */
export const monitorPauseReason = z
  .enum(['tier_limit', 'webhook_missing', 'feed_unavailable', 'insufficient_credits'])
  .meta({ id: 'MonitorPauseReason' });
export type MonitorPauseReason = z.infer<typeof monitorPauseReason>;

/** What a monitor watches: one of the two. */
export const monitorSource = {
  channel: channelId.nullable().describe('The channel that it watches; null where it watches a playlist'),
  playlist: playlistId.nullable().describe('The playlist that it watches; null where it watches a channel'),
  title: line(LONGEST_TITLE).nullable().describe('What the platform calls it; null if it has not said'),
};

export const monitor = namedObject('Monitor', {
  id: monitorId,
  status: monitorStatus,
  pause_reason: monitorPauseReason.nullable(),
  ...monitorSource,
  auto_fetch: z.boolean(),
  language: z.string().max(LONGEST_LANGUAGE_TAG),
  fallback: z.boolean(),
  webhook_url: z.string().max(LONGEST_WEBHOOK_URL).nullable(),
  key_id: uuid.nullable().describe('The key that created it, which it outlives'),
  new_videos: count.describe('Found since the monitor was created, also while it was paused'),
  last_checked_at: time.nullable(),
  next_check_at: time
    .nullable()
    .describe('About when its source is looked at again; null once it is cancelled'),
  consecutive_failures: count.describe('0 after a check that succeeded'),
  last_error: line(LONGEST_ERROR)
    .nullable()
    .describe('Why the last check, or the last automatic job, failed'),
  created_at: time,
  cancelled_at: time.nullable(),
});
export type Monitor = z.infer<typeof monitor>;

/** A new video in events of a monitor. */
export const newVideo = namedObject('NewVideo', {
  video_id: videoId,
  title: line(LONGEST_TITLE).nullable(),
  published_at: publicationDay.nullable(),
});
export type NewVideo = z.infer<typeof newVideo>;

/** A video that a monitor has found. */
export const monitorVideo = newVideo
  .extend({
    found_at: time,
    job_id: uuid
      .nullable()
      .describe('The automatic job that fetches it; null where there is none, or none yet'),
  })
  .meta({ id: 'MonitorVideo' });
export type MonitorVideo = z.infer<typeof monitorVideo>;
