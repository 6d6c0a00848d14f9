import type { Db } from '../store/database.ts';
import { countWatcher, lockFeed } from '../store/feeds.ts';
import { cancelMonitor, feedOf, type OwnedMonitor } from '../store/monitors.ts';

/** Ends a monitor that is not cancelled; changes nothing else. The account is locked. */
export const cancel = async (tx: Db, owned: OwnedMonitor): Promise<void> => {
  const feedId = await feedOf(tx, owned);
  if (feedId === null) return;
  await lockFeed(tx, feedId);
  await cancelMonitor(tx, owned);
  await countWatcher(tx, feedId, -1, 0);
};
