import { drainDue, LeaseLost, onSchedule } from '@tds/service-kit';
import { runErrand } from '../application/run-errand.ts';
import type { Deps } from '../deps.ts';
import { errandRows } from '../store/monitor-turns.ts';

const AT_ONCE = 32;

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
