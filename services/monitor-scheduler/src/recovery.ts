import { isServiceAway } from '@tds/base';
import { bulkOrchestrator, identity, monitorScheduler, type PayloadOf } from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import { type CallContext, onEvent } from '@tds/kit';
import { toJobRequest } from './application/actions.ts';
import { cancel } from './application/monitors.ts';
import { toNewVideo } from './application/turns.ts';
import type { Deps } from './deps.ts';
import { publicId, storedId } from './domain/ids.ts';
import { lockAccount } from './store/accounts.ts';
import type { Db } from './store/database.ts';
import { saveSettings } from './store/monitor-turns.ts';
import {
  findJobSettings,
  findMonitorJob,
  replaceJob,
  restoreNumbers,
  saveBatch,
  saveEmittedUpTo,
  saveFetchedUpTo,
  saveJob,
} from './store/monitors.ts';
import { saveFeed } from './store/reader-feeds.ts';
import { videosBetween } from './store/videos.ts';

type LostEvent<Event extends keyof typeof monitorScheduler.events> = PayloadOf<
  (typeof monitorScheduler.events)[Event]
>;
type LostVideos = Pick<
  LostEvent<'newVideosFound' | 'automaticJobPlanned'>,
  'monitorId' | 'channel' | 'playlist' | 'after' | 'videos'
>;

/*
 * After a restore of this database, its stream still has the events that it has lost. They are applied again, in any order and number;
 * until then no feed is checked, no new videos are emitted and no job is created. Monitors that only the lost rows knew are lost.
 */

/** Cancels a monitor again. */
export const monitorCancelled = onEvent(
  monitorScheduler.monitorCancelled,
  ({ db, messaging }: Deps, { accountId, monitorId }) =>
    messaging.transaction(db, async (tx) => {
      const id = storedId(monitorId);
      if (id === null) return;
      await lockAccount(tx, accountId);
      await cancel(tx, { accountId, id });
    }),
);

/** Changes a monitor again, unless it was changed later. */
export const monitorChanged = onEvent(
  monitorScheduler.monitorChanged,
  ({ db, messaging }: Deps, { accountId, monitorId, changedAt, ...settings }) =>
    messaging.transaction(db, async (tx) => {
      const id = storedId(monitorId);
      if (id !== null) await saveSettings(tx, { accountId, id }, settings, changedAt);
    }),
);

/** Gives a feed its id again, or ends it again, unless it was changed later. */
export const readerFeedChanged = onEvent(
  monitorScheduler.readerFeedChanged,
  async ({ db }: Deps, { monitorId, changedAt, ...change }) => {
    await saveFeed(db, { ...change, monitor_id: monitorId }, changedAt);
  },
);

/** Restores the numbers of these videos and, if all have theirs, calls `save` with the monitor and the last number. */
const withNumbers = (
  { db, messaging }: Deps,
  { monitorId, channel, playlist, after, videos }: LostVideos,
  save: (tx: Db, id: string, upTo: number) => Promise<unknown>,
) =>
  messaging.transaction(db, async (tx) => {
    const id = storedId(monitorId);
    const source = { kind: channel === null ? 'playlist' : 'channel', id: channel ?? playlist ?? '' } as const;
    if (id === null || !(await restoreNumbers(tx, source, { after, videos }))) return;
    await save(tx, id, after + videos.length);
  });

/** Marks videos as emitted again. */
export const newVideosFound = onEvent(monitorScheduler.newVideosFound, (deps: Deps, event) =>
  withNumbers(deps, event, saveEmittedUpTo),
);

/**
 * Requests a job again, past the caps of jobs: the same one answers if bulk-orchestrator still has it. Returns null if the monitor is lost, or the request is
 * refused.
 */
const requestAgain = async (
  { db, call }: Deps,
  { accountId, monitorId, videos }: Pick<LostEvent<'automaticJobBegun'>, 'accountId' | 'monitorId' | 'videos'>,
  context: CallContext,
) => {
  const id = storedId(monitorId);
  const monitor = id && (await findJobSettings(db, { accountId, id }));
  if (!monitor) return null;
  try {
    const phase = await call(identity.getKeyPhase, { accountId, keyId: monitor.keyId }, context);
    const request = { ...toJobRequest(monitor, phase, videos), isRestored: true };
    const { job } = await call(bulkOrchestrator.createJob, request, context);
    return job.id;
  } catch (error) {
    if (error instanceof ServiceError && !isServiceAway(error)) return null;
    throw error;
  }
};

/**
 * bulk-orchestrator was restored and has lost a job: if it was a monitor's, it is requested again with the same videos. A repeat finds the
 * new job instead.
 */
export const requestLostJob = async (
  deps: Deps,
  { jobId, accountId }: PayloadOf<typeof bulkOrchestrator.jobLost>,
  context: CallContext,
) => {
  const { db } = deps;
  const monitorJob = await findMonitorJob(db, { accountId, jobId });
  const feedId = monitorJob?.monitor.feedId ?? null;
  if (monitorJob === null || feedId === null) return;
  const videos = (await videosBetween(db, feedId, monitorJob)).map(toNewVideo);
  if (videos.length === 0) return;
  const newJobId = await requestAgain(
    deps,
    { accountId, monitorId: publicId(monitorJob.monitorId), videos },
    context,
  );
  if (newJobId !== null) await replaceJob(db, monitorJob, newJobId);
};

/** Fixes a batch again, whose job may exist: it is requested with the same videos and key. */
export const automaticJobPlanned = onEvent(monitorScheduler.automaticJobPlanned, (deps: Deps, event) =>
  withNumbers(deps, event, (tx, id, upTo) => saveBatch(tx, id, { after: event.after, upTo })),
);

/** Records again that videos have a job, so that they get no other. A job that bulk-orchestrator has lost, too, is created again. */
export const automaticJobBegun = onEvent(
  monitorScheduler.automaticJobBegun,
  async (deps: Deps, event, context) => {
    const jobId = (await requestAgain(deps, event, context)) ?? event.jobId;
    const { after } = event;
    await withNumbers(deps, event, async (tx, monitorId, upTo) => {
      if (await saveFetchedUpTo(tx, monitorId, upTo)) await saveJob(tx, { monitorId, jobId, after, upTo });
    });
  },
);
