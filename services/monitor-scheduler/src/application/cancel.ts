import { monitorScheduler } from '@tds/contracts';
import type { Sender } from '@tds/service-kit';
import { publicId } from '../domain/monitor-id.ts';
import type { Db } from '../store/database.ts';
import { countWatcher, hastenFeedsOfAccount, lockFeed } from '../store/feeds.ts';
import { wakeMonitorsOfAccount } from '../store/monitor-turns.ts';
import { cancelMonitor, feedOf, type OwnedMonitor } from '../store/monitors.ts';
import type { Surface } from '../surface.ts';

/** Ends a monitor that is not cancelled; those that waited for its place go on. False where there is none. The account is locked. */
export const cancel = async (tx: Db, owned: OwnedMonitor): Promise<boolean> => {
  const feedId = await feedOf(tx, owned);
  if (feedId === null) return false;
  await lockFeed(tx, feedId);
  await cancelMonitor(tx, owned);
  await countWatcher(tx, feedId, -1, 0);
  await hastenFeedsOfAccount(tx, owned.accountId);
  await wakeMonitorsOfAccount(tx, owned.accountId);
  return true;
};

/** The same by its owner, and told: this database may go back. */
export const cancelAndTell = async (tx: Db, send: Sender<Surface>, owned: OwnedMonitor): Promise<void> => {
  const { accountId, id } = owned;
  if (await cancel(tx, owned))
    await send.emit(monitorScheduler.monitorCancelled, { accountId, monitorId: publicId(id) });
};
