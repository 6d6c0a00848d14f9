import { purgeInBatches } from '@tds/base';
import { DAY_MS, HOUR_MS, REQUESTS_KEPT_DAYS } from '@tds/contracts';
import { onSchedule } from '@tds/kit';
import type { Deps } from './deps.ts';
import { countMonthsAhead, openMonths as open, sealEntries as seal } from './store/entries.ts';
import { deleteOldRequests, deleteSurplus, listCrowded } from './store/requests.ts';
import { deleteUsageBatches } from './store/usage.ts';

/** Longer than a gateway repeats a batch. */
const RETENTION_MS = 7 * DAY_MS;

export const forgetUsageBatches = onSchedule(
  async ({ db, now }: Pick<Deps, 'db' | 'now'>, { signal, record }) => {
    const before = new Date(now().getTime() - RETENTION_MS);
    record.add({
      forgotten: await purgeInBatches((limit) => deleteUsageBatches(db, before, limit), { signal }),
    });
  },
);

/** Twice as long as between two runs. */
const RECENT_MS = 2 * HOUR_MS;

/**
 * Deletes requests that are old, or of which an account has too many: a flood of one error pushes out older ones of that error only.
 * A batch that arrived while its account was closed is deleted, too.
 */
export const forgetRequests = onSchedule(async ({ db, now }: Pick<Deps, 'db' | 'now'>, { signal, record }) => {
  const ago = (milliseconds: number) => new Date(now().getTime() - milliseconds);
  const before = ago(REQUESTS_KEPT_DAYS * DAY_MS);
  const old = await purgeInBatches((limit) => deleteOldRequests(db, before, limit), { signal });
  let surplus = 0;
  for (const crowded of await listCrowded(db, ago(RECENT_MS)))
    surplus += await purgeInBatches((limit) => deleteSurplus(db, crowded, limit), { signal });
  record.add({ old, surplus });
});

/** Months that are open in advance: the time an operator has if opening one fails. */
const MONTHS_AHEAD = 3;

/** Opens the next months. Logs an error each hour if the next month is not open. */
export const openMonths = onSchedule(async ({ db, log }: Pick<Deps, 'db' | 'log'>, { record }) => {
  try {
    record.add({ opened: await open(db, MONTHS_AHEAD) });
  } finally {
    const ahead = await countMonthsAhead(db, MONTHS_AHEAD);
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
