import { drainDue, LeaseLost, onSchedule } from '@tds/service-kit';
import { serveMonitor } from '../application/serve-monitor.ts';
import type { Deps } from '../deps.ts';
import { monitorRows } from '../store/monitor-turns.ts';

const AT_ONCE = 32;

/** Gives monitors their turns that have something to do. What fails is due again when its lease is over. */
export const serveMonitors = onSchedule(async (deps: Deps, { requestId, signal, record }) => {
  const drained = await drainDue(deps.pool, monitorRows, {
    work: async (due, limited) => ({
      nextInMs: await serveMonitor(deps, due, { requestId, accountId: due.account_id, signal: limited }),
      written: {},
    }),
    onFailure(error, { id }) {
      if (!(error instanceof LeaseLost))
        deps.log.warn('a monitor could not be served', { error, monitorId: id });
    },
    atOnce: AT_ONCE,
    signal,
  });
  record.add(drained);
});
