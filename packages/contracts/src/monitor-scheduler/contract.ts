import { z } from 'zod';
import { LONGEST_WEBHOOK_URL } from '../bulk-orchestrator/job.ts';
import { defineContract } from '../contract/define-contract.ts';
import { monitorId, uuid } from '../ids.ts';
import { tierLimits } from '../limits.ts';
import { MOST_VIDEOS_AN_EVENT, monitorPauseReason, monitorSource, newVideo } from './monitor.ts';
import { monitorCommands } from './monitor-commands.ts';

const ofMonitor = { accountId: uuid, monitorId };
/** The number of the last video of the source before these, which have the numbers that follow. */
const after = z.number().int().nonnegative();
const MOST_VIDEOS_A_JOB = tierLimits.paid.videosPerJob;
/** Grows with each change of what a monitor waits for, also where the database was put back. */
const version = z.number().int().nonnegative();

/** Monitors: channels and playlists that are watched for new videos. */
export const monitorScheduler = defineContract('monitor-scheduler', {
  commands: monitorCommands,
  events: {
    /** Reports each new video of a monitor once, in the order in which they were found. */
    newVideosFound: {
      payload: z.object({
        ...ofMonitor,
        ...monitorSource,
        /** Where it goes instead of the account's webhook. */
        webhookUrl: z.string().max(LONGEST_WEBHOOK_URL).nullable(),
        /** Whether the monitor waits for a webhook: if the account has none, these videos are emitted again later. */
        isExpected: z.boolean(),
        /** Of monitor and videos: the same news have the same id, also where the database was put back. */
        newsId: uuid,
        after,
        videos: z.array(newVideo).min(1).max(MOST_VIDEOS_AN_EVENT),
      }),
    },

    /** A job of these was begun. For this service itself, where its database was put back. */
    automaticJobBegun: {
      payload: z.object({
        ...ofMonitor,
        ...monitorSource,
        jobId: uuid,
        after,
        videos: z.array(newVideo).min(1).max(MOST_VIDEOS_A_JOB),
      }),
    },

    /** It watches nothing any more. For this service itself, where its database was put back. */
    monitorCancelled: { payload: z.object(ofMonitor) },

    /** It waits, or waits for something else: it goes on watching. */
    monitorPaused: {
      payload: z.object({ ...ofMonitor, pauseReason: monitorPauseReason, version }),
      aggregate: { key: 'monitorId', version: 'version' },
    },

    monitorResumed: {
      payload: z.object({ ...ofMonitor, version }),
      aggregate: { key: 'monitorId', version: 'version' },
    },
  },
});
