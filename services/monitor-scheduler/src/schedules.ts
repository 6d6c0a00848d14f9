import { drainDue, LeaseLost, onSchedule, purgeEach } from '@tds/service-kit';
import { checkFeed } from './application/check-feed.ts';
import { runErrand } from './application/errands.ts';
import { tellNews } from './application/turns.ts';
import type { Deps } from './deps.ts';
import { feedRows } from './store/feeds.ts';
import { errandRows, monitorRows } from './store/monitor-turns.ts';
import { purgesOf } from './store/old-rows.ts';

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

const AT_ONCE = 32;

/** Gives monitors their turns that have something to tell. What fails is due again when its lease is over. */
export const serveMonitors = onSchedule(async (deps: Deps, { signal, record }) => {
  const drained = await drainDue(deps.pool, monitorRows, {
    work: async (due) => ({ nextInMs: await tellNews(deps, due), written: {} }),
    onFailure(error, { id }) {
      if (!(error instanceof LeaseLost))
        deps.log.warn('a monitor could not be served', { error, monitorId: id });
    },
    atOnce: AT_ONCE,
    signal,
  });
  record.add(drained);
});

/** What monitors ask other services for, beside their turns. What fails is due again when its lease is over. */
export const runErrands = onSchedule(async (deps: Deps, { requestId, signal, record }) => {
  const drained = await drainDue(deps.pool, errandRows, {
    work: async (due, limited) => ({
      nextInMs: await runErrand(deps, due, { requestId, accountId: due.account_id, signal: limited }),
      written: {},
    }),
    onFailure(error, { id }) {
      if (!(error instanceof LeaseLost))
        deps.log.warn('an errand of a monitor could not be run', { error, monitorId: id });
    },
    atOnce: AT_ONCE,
    signal,
  });
  record.add(drained);
});

export const purgeFeeds = onSchedule(async ({ db }: Pick<Deps, 'db'>, { signal, record }) => {
  record.add(await purgeEach(purgesOf(db), { signal }));
});
