import { purgeInBatches } from '@tds/base';
import { DAY_MS } from '@tds/contracts';
import { onSchedule } from '@tds/kit';
import type { Deps } from './deps.ts';
import { monthsAhead, openMonths as open, sealEntries as seal } from './store/entries.ts';
import { deleteUsageBatches } from './store/usage.ts';

/** Longer than a gateway repeats a batch. */
const KEPT_MS = 7 * DAY_MS;

export const forgetUsageBatches = onSchedule(
  async ({ db, now }: Pick<Deps, 'db' | 'now'>, { signal, record }) => {
    const before = new Date(now().getTime() - KEPT_MS);
    record.add({
      forgotten: await purgeInBatches((limit) => deleteUsageBatches(db, before, limit), { signal }),
    });
  },
);

/** Months that are open in advance: the time an operator has if opening one fails. */
const AHEAD = 3;

/** Opens the next months. Logs an error each hour if the next month is not open. */
export const openMonths = onSchedule(async ({ db, log }: Pick<Deps, 'db' | 'log'>, { record }) => {
  try {
    record.add({ opened: await open(db, AHEAD) });
  } finally {
    const ahead = await monthsAhead(db, AHEAD);
    record.add({ ahead });
    if (ahead === 0) log.error('the next month is not open: nothing can be booked when this one ends', {});
  }
});

/** Entries per statement; sealing them takes about a tenth of a second. */
const BATCH = 10_000;

/** Extends the hash chains to the newest entries. The next run continues an interrupted one. */
export const sealEntries = onSchedule(async ({ db }: Pick<Deps, 'db'>, { signal, record }) => {
  let sealed = 0;
  for (let last = BATCH; last >= BATCH && !signal.aborted; sealed += last) last = await seal(db, BATCH);
  record.add({ sealed });
});
