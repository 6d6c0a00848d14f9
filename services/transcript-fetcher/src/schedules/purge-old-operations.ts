import { onSchedule, purgeEach } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { purgeColdCounts, purgeFetches, purgeLines, purgeOperations } from '../store/purge.ts';

/** Well beyond the day for which a result can be polled, and as long as credits are compared with the ledger. */
const KEPT = { olderThanDays: 8 };

export const purgeOldOperations = onSchedule(async ({ db }: Pick<Deps, 'db'>, { signal, record }) => {
  // In this order: a fetch or a line goes when no operation points to it any more.
  const purges = {
    operations: (limit: number) => purgeOperations(db, KEPT, limit),
    fetches: (limit: number) => purgeFetches(db, KEPT, limit),
    lines: (limit: number) => purgeLines(db, KEPT, limit),
    coldCounts: (limit: number) => purgeColdCounts(db, KEPT, limit),
  };
  record.add(await purgeEach(purges, { signal }));
});
