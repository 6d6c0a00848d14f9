import { onSchedule, purgeEach } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { purgeColdCounts, purgeFetches, purgeOperations } from '../store/purge.ts';

/** Well beyond the day for which a result can be polled, so that support can look back. */
const KEPT = { olderThanDays: 7 };

export const purgeOldOperations = onSchedule(async ({ db }: Pick<Deps, 'db'>, { signal, record }) => {
  // In this order: a fetch goes when no operation points to it any more.
  const purges = {
    operations: (limit: number) => purgeOperations(db, KEPT, limit),
    fetches: (limit: number) => purgeFetches(db, KEPT, limit),
    coldCounts: (limit: number) => purgeColdCounts(db, KEPT, limit),
  };
  record.add(await purgeEach(purges, { signal }));
});
