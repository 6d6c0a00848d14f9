import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { monitorId, time, uuid } from '../ids.ts';
import { MAX_WEBHOOK_URL_LENGTH } from '../job.ts';
import { tierLimits } from '../limits.ts';
import { mailOfEvent, monitorMail } from '../mail.ts';
import {
  MAX_VIDEOS_PER_EVENT,
  monitorPauseReason,
  monitorSettings,
  monitorSource,
  newVideo,
} from '../monitor.ts';
import { receiverIds } from '../receiver-ids.ts';
import { feedCommands, readerFeedChanged } from './feed-commands.ts';
import { monitorCommands } from './monitor-commands.ts';

const ofMonitor = { accountId: uuid, monitorId };
/** The number of the source's video before these; theirs follow it. */
const after = z.number().int().nonnegative();
const MAX_VIDEOS_PER_JOB = tierLimits.paid.videosPerJob;
const ofBatch = {
  ...ofMonitor,
  ...monitorSource,
  after,
  videos: z.array(newVideo).min(1).max(MAX_VIDEOS_PER_JOB),
};
/** Grows with each change of a monitor's pause, also after a restore. */
const version = z.number().int().nonnegative();

/** Monitors: channels and playlists that are watched for new videos. */
export const monitorScheduler = defineContract('monitor-scheduler', {
  commands: { ...monitorCommands, ...feedCommands },
  events: {
    /** Reports each new video of a monitor once, in the order in which they were found. */
    newVideosFound: {
      payload: z.object({
        ...ofMonitor,
        ...monitorSource,
        /** The URL that receives it instead of the account's webhook. */
        webhookUrl: z.string().max(MAX_WEBHOOK_URL_LENGTH).nullable(),
        /** The key that gave this URL. */
        webhookKeyId: uuid.nullable(),
        receiverIds: receiverIds.optional(),
        ...mailOfEvent,
        /** Whether only matches of words are mailed; `mail` is none then, too. */
        mailOnlyMatches: z.boolean().optional(),
        /** Whether the monitor waits for a webhook: if the account has none, these videos are emitted again later. */
        isExpected: z.boolean(),
        /** Derived from monitor and videos, so the same new videos keep their id after a restore. */
        newVideosId: uuid,
        after,
        videos: z.array(newVideo).min(1).max(MAX_VIDEOS_PER_EVENT),
      }),
    },

    /** A job of these is about to be requested. Only this service listens, after a restore. */
    automaticJobPlanned: { payload: z.object(ofBatch) },

    /** A job of these was created. Only this service listens, after a restore. */
    automaticJobBegun: { payload: z.object({ ...ofBatch, jobId: uuid }) },

    /** Its settings were changed. Only this service listens, after a restore. */
    monitorChanged: {
      payload: z.object({
        ...ofMonitor,
        ...monitorSettings,
        mail: monitorMail.default('none'),
        mailOnlyMatches: z.boolean().default(false),
        /** Absent from the release before: they stay. */
        receivers: receiverIds.optional(),
        /** The key whose monitor it is then. */
        keyId: uuid.nullable().optional(),
        changedAt: time,
      }),
    },

    /** It was cancelled. Only this service listens, after a restore. */
    monitorCancelled: { payload: z.object(ofMonitor) },

    readerFeedChanged,

    /** Its pause has begun, changed or ended. */
    monitorPaused: {
      payload: z.object({
        ...ofMonitor,
        title: monitorSource.title.default(null),
        pauseReason: monitorPauseReason,
        /** Who made it. */
        personId: uuid.nullish(),
        version,
      }),
      aggregate: { key: 'monitorId', version: 'version' },
    },

    monitorResumed: {
      payload: z.object({ ...ofMonitor, version }),
      aggregate: { key: 'monitorId', version: 'version' },
    },
  },
});
