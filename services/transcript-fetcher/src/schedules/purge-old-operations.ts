import { onSchedule, purgeInBatches } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { purgeColdCounts, purgeFetches, purgeOperations } from '../store/purge.ts';

/** Well beyond the day for which a result can be polled, so that support can look back. */
const KEPT = { olderThanDays: 7 };

/** In this order: a fetch goes when no operation points to it any more. */
const purges = [purgeOperations, purgeFetches, purgeColdCounts];

export const purgeOldOperations = onSchedule(async ({ db }: Pick<Deps, 'db'>, { signal }) => {
  for (const purge of purges) await purgeInBatches((limit) => purge(db, KEPT, limit), { signal });
});
