import type { monitorScheduler, PayloadOf } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { storedId } from '../domain/ids.ts';
import { lockAccount } from '../store/accounts.ts';
import type { Db } from '../store/database.ts';
import { restoreNumbers, saveEmittedUpTo, saveFetchedUpTo, saveJob } from '../store/monitors.ts';
import { cancel } from './monitors.ts';

type LostEvent<Event extends keyof typeof monitorScheduler.events> = PayloadOf<
  (typeof monitorScheduler.events)[Event]
>;
type RestoreDeps = Pick<Deps, 'db' | 'messaging'>;
type LostVideos = Pick<
  LostEvent<'newVideosFound' | 'automaticJobBegun'>,
  'monitorId' | 'channel' | 'playlist' | 'after' | 'videos'
>;

/*
 * After a restore of this database, its stream still has the events that it has lost. They are applied again, in any order and number;
 * until then no feed is checked, no news are emitted and no job is created. Monitors that only the lost rows knew are lost.
 */

/** Cancels a monitor again. */
export const reapplyCancelled = (
  { db, messaging }: RestoreDeps,
  { accountId, monitorId }: LostEvent<'monitorCancelled'>,
): Promise<void> =>
  messaging.transaction(db, async (tx) => {
    const id = storedId(monitorId);
    if (id === null) return;
    await lockAccount(tx, accountId);
    await cancel(tx, { accountId, id });
  });

/** Restores the numbers of these videos and, if all have theirs, calls `save` with the monitor and the last number. */
const withNumbers = (
  { db, messaging }: RestoreDeps,
  { monitorId, channel, playlist, after, videos }: LostVideos,
  save: (tx: Db, id: string, upTo: number) => Promise<void>,
): Promise<void> =>
  messaging.transaction(db, async (tx) => {
    const id = storedId(monitorId);
    const source = {
      kind: channel === null ? 'playlist' : 'channel',
      id: channel ?? playlist ?? '',
    } as const;
    if (id === null || !(await restoreNumbers(tx, source, { after, videos }))) return;
    await save(tx, id, after + videos.length);
  });

/** Marks videos as emitted again. */
export const reapplyNews = (deps: RestoreDeps, lost: LostEvent<'newVideosFound'>): Promise<void> =>
  withNumbers(deps, lost, saveEmittedUpTo);

/** Records again that videos have a job, so that they get no other. */
export const reapplyJob = (deps: RestoreDeps, lost: LostEvent<'automaticJobBegun'>): Promise<void> =>
  withNumbers(deps, lost, async (tx, monitorId, upTo) => {
    const { jobId, after } = lost;
    if (await saveFetchedUpTo(tx, monitorId, upTo)) await saveJob(tx, { monitorId, jobId, after, upTo });
  });
