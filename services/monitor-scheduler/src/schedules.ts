import { LeaseLost, purgeEach } from '@tds/base';
import { onSchedule } from '@tds/kit';
import { drainDue } from '@tds/queue';
import { runAction } from './application/actions.ts';
import { checkFeed } from './application/check-feed.ts';
import { emitNewVideos } from './application/turns.ts';
import type { Deps } from './deps.ts';
import { feedQueueWithin } from './store/feeds.ts';
import { actionQueue, monitorQueue } from './store/monitor-turns.ts';
import { createPurges } from './store/old-rows.ts';

const MAX_CONCURRENT_MONITORS = 32;

/** A row whose work fails is due again when its lease ends. */
const warn =
  ({ log }: Deps, message: string) =>
  (error: unknown, { id }: { readonly id: string }): void => {
    if (!(error instanceof LeaseLost)) log.warn(message, { error, id });
  };

/** Checks due sources for up to 45 seconds (specification, part 8). */
export const checkFeeds = onSchedule(async (deps: Deps, { signal, record }) => {
  const drained = await drainDue(deps.pool, feedQueueWithin(deps.feeds.all), {
    work: async (feed, limited) => (await checkFeed(deps, feed, limited)).outcome,
    onFailure: warn(deps, 'could not check a feed'),
    concurrency: deps.feeds.concurrency,
    signal,
  });
  record.add(drained);
});

/** Emits the new videos of due monitors. */
export const serveMonitors = onSchedule(async (deps: Deps, { signal, record }) => {
  const drained = await drainDue(deps.pool, monitorQueue, {
    work: async (due) => ({ nextInMs: await emitNewVideos(deps, due) }),
    onFailure: warn(deps, 'could not serve a monitor'),
    concurrency: MAX_CONCURRENT_MONITORS,
    signal,
  });
  record.add(drained);
});

/** Runs due actions: calls of monitors to other services. */
export const runActions = onSchedule(async (deps: Deps, { requestId, signal, record }) => {
  const drained = await drainDue(deps.pool, actionQueue, {
    work: async (due, limited) => ({
      nextInMs: await runAction(deps, due, { requestId, accountId: due.account_id, signal: limited }),
    }),
    onFailure: warn(deps, 'could not run the action of a monitor'),
    concurrency: MAX_CONCURRENT_MONITORS,
    signal,
  });
  record.add(drained);
});

export const purgeFeeds = onSchedule(async ({ db }: Deps, { signal, record }) => {
  record.add(await purgeEach(createPurges(db), { signal }));
});
