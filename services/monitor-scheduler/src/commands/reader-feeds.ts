import { randomUUID } from 'node:crypto';
import { identity, monitorScheduler } from '@tds/contracts';
import { hasCode, serviceError } from '@tds/errors';
import { onCommand } from '@tds/kit';
import type { Deps } from '../deps.ts';
import { lockAccount } from '../store/accounts.ts';
import { findMonitor } from '../store/monitor-views.ts';
import { findFeed, findFeeds, saveFeed } from '../store/reader-feeds.ts';

export const listFeeds = onCommand(monitorScheduler.listFeeds, async ({ db }: Deps, { accountId }) => ({
  feeds: await findFeeds(db, accountId),
}));

export const changeFeed = onCommand(
  monitorScheduler.changeFeed,
  ({ db, messaging }: Deps, { isEnded, ...owned }) =>
    messaging.transaction(db, async (tx, send) => {
      await lockAccount(tx, owned.accountId);
      const { monitorId: monitor_id } = owned;
      const feedId = isEnded ? null : randomUUID();
      const changedAt = await saveFeed(tx, { ...owned, monitor_id, feedId });
      if (changedAt === null) throw serviceError('monitor_not_found');
      await send.emit(monitorScheduler.readerFeedChanged, { ...owned, feedId, changedAt });
      return { feed: feedId === null ? null : { id: feedId, monitor_id, created_at: changedAt } };
    }),
);

export const getFeed = onCommand(monitorScheduler.getFeed, async ({ db, call }: Deps, { feedId }, context) => {
  const found = await findFeed(db, feedId);
  if (found === null) throw serviceError('feed_not_found');
  const { accountId, monitorId, feed } = found;
  const phase = await call(identity.getKeyPhase, { accountId, keyId: null }, context).catch((error) => {
    if (hasCode(error, 'account_closed')) return null;
    throw error;
  });
  if (phase?.accountStatus !== 'active') throw serviceError('feed_not_found');
  const monitor = monitorId === null ? null : await findMonitor(db, accountId, monitorId);
  return { accountId, feed, monitor };
});
