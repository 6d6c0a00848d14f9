import type { monitorScheduler, PayloadOf } from '@tds/contracts';
import type { Deps } from '../deps.ts';
import { storedId } from '../domain/ids.ts';
import { lockAccount } from '../store/accounts.ts';
import type { Db } from '../store/database.ts';
import { fetchedUpTo, retakeNumbers, toldUpTo } from '../store/lost-numbers.ts';
import { saveJob } from '../store/monitors.ts';
import { cancel } from './monitors.ts';

type Told<Event extends keyof typeof monitorScheduler.events> = PayloadOf<
  (typeof monitorScheduler.events)[Event]
>;
type Parts = Pick<Deps, 'db' | 'messaging'>;
type Numbered = Pick<
  Told<'newVideosFound' | 'automaticJobBegun'>,
  'monitorId' | 'channel' | 'playlist' | 'after' | 'videos'
>;

/*
 * After this database went back to an older copy, its stream still says what it had told. It is noted again here, however often it is
 * said and in whatever order; until all of it is, no source is read, nothing is told and no job begins. Monitors that only the lost rows
 * knew are lost.
 */

/** A monitor that was cancelled stays cancelled. */
export const retakeCancelled = (
  { db, messaging }: Parts,
  { accountId, monitorId }: Told<'monitorCancelled'>,
): Promise<void> =>
  messaging.transaction(db, async (tx) => {
    const id = storedId(monitorId);
    if (id === null) return;
    await lockAccount(tx, accountId);
    await cancel(tx, { accountId, id });
  });

/** Calls `note` with the monitor and its last number among these, where they have the numbers again that they had. */
const withNumbers = (
  { db, messaging }: Parts,
  { monitorId, channel, playlist, after, videos }: Numbered,
  note: (tx: Db, id: string, upTo: number) => Promise<void>,
): Promise<void> =>
  messaging.transaction(db, async (tx) => {
    const id = storedId(monitorId);
    const source = {
      kind: channel === null ? 'playlist' : 'channel',
      id: channel ?? playlist ?? '',
    } as const;
    if (id === null || !(await retakeNumbers(tx, source, { after, videos }))) return;
    await note(tx, id, after + videos.length);
  });

/** Videos that were told are no news any more. */
export const retakeNews = (parts: Parts, told: Told<'newVideosFound'>): Promise<void> =>
  withNumbers(parts, told, toldUpTo);

/** Videos that have a job get no other one. */
export const retakeJob = (parts: Parts, told: Told<'automaticJobBegun'>): Promise<void> =>
  withNumbers(parts, told, async (tx, monitorId, upTo) => {
    const { jobId, after } = told;
    if (await fetchedUpTo(tx, monitorId, upTo)) await saveJob(tx, { monitorId, jobId, after, upTo });
  });
