import { onSchedule, purgeInBatches } from '@tds/service-kit';
import type { Deps } from './deps.ts';
import { monthsAhead, openMonths as open, sealEntries as seal } from './store/entries.ts';
import { deleteUsageBatches } from './store/usage.ts';

/** A gateway repeats a batch while it lives and the ledger does not answer: far shorter than this. */
const KEPT_MS = 7 * 86_400_000;

export const forgetUsageBatches = onSchedule(
  async ({ db, now }: Pick<Deps, 'db' | 'now'>, { signal, record }) => {
    const before = new Date(now().getTime() - KEPT_MS);
    record.add({
      forgotten: await purgeInBatches((limit) => deleteUsageBatches(db, before, limit), { signal }),
    });
  },
);

/** So that nobody has to hurry if months cannot be opened any more. */
const AHEAD = 3;

/** Makes room for the months to come. An error in the log, every hour, says that no month is ahead. */
export const openMonths = onSchedule(async ({ db, log }: Pick<Deps, 'db' | 'log'>, { record }) => {
  try {
    record.add({ opened: await open(db, AHEAD) });
  } finally {
    const ahead = await monthsAhead(db, AHEAD);
    record.add({ ahead });
    if (ahead === 0) log.error('no month is open after this one: from its end on nothing can be booked', {});
  }
});

/** About a tenth of a second of sealing. */
const BATCH = 10_000;

/** Extends the chains of hashes to the newest entries; if a run is cut short, the next one continues. */
export const sealEntries = onSchedule(async ({ db }: Pick<Deps, 'db'>, { signal, record }) => {
  let sealed = 0;
  for (let last = BATCH; last >= BATCH && !signal.aborted; sealed += last) last = await seal(db, BATCH);
  record.add({ sealed });
});
