import { onSchedule, purgeEach } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import {
  purgeColdCounts,
  purgeFetches,
  purgeLines,
  purgeOperations,
  purgeProxySpending,
  purgeSelections,
  purgeTurns,
  purgeVideos,
} from '../store/purge.ts';

/** Well beyond the day for which a result can be polled, and as long as credits are compared with the ledger. */
const KEPT = { olderThanDays: 8 };
/** What has passed, or led nowhere, is no part of the cache that was paid for. */
const FACTS_KEPT = { olderThanDays: 30 };

export const purgeOldOperations = onSchedule(async ({ db }: Pick<Deps, 'db'>, { signal, record }) => {
  // In this order: a fetch or a line goes when no operation points to it any more.
  const purges = {
    operations: (limit: number) => purgeOperations(db, KEPT, limit),
    fetches: (limit: number) => purgeFetches(db, KEPT, limit),
    lines: (limit: number) => purgeLines(db, KEPT, limit),
    coldCounts: (limit: number) => purgeColdCounts(db, KEPT, limit),
    turns: (limit: number) => purgeTurns(db, KEPT, limit),
    proxySpending: (limit: number) => purgeProxySpending(db, KEPT, limit),
    selections: (limit: number) => purgeSelections(db, FACTS_KEPT, limit),
    videos: (limit: number) => purgeVideos(db, FACTS_KEPT, limit),
  };
  record.add(await purgeEach(purges, { signal }));
});
