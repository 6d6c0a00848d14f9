import { drainDue, LeaseLost, onSchedule } from '@tds/service-kit';
import { checkFeed } from '../application/check-feed.ts';
import type { Deps } from '../deps.ts';
import { feedRows } from '../store/feeds.ts';

/** Looks at sources that are due, for 45 seconds at most (specification, part 8). What fails is due again when its lease is over. */
export const checkFeeds = onSchedule(async (deps: Deps, { signal, record }) => {
  const drained = await drainDue(deps.pool, feedRows, {
    work: async (feed, limited) => (await checkFeed(deps, feed, limited)).outcome,
    onFailure(error, { id }) {
      if (!(error instanceof LeaseLost)) deps.log.warn('a feed could not be checked', { error, feedId: id });
    },
    atOnce: deps.feedsAtOnce,
    signal,
  });
  record.add(drained);
});
