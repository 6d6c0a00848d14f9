import { onSchedule } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { monthsAhead, openMonths as open } from '../store/months.ts';

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
