import { drainDue, LeaseLost, onSchedule } from '@tds/service-kit';
import { tellNews } from '../application/tell-news.ts';
import type { Deps } from '../deps.ts';
import { monitorRows } from '../store/monitor-turns.ts';

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
