import { releaseUnknown } from '@tds/reservations';
import { onSchedule } from '@tds/service-kit';
import { SEARCH_REASON } from '../commands/search-page.ts';
import type { Deps } from '../deps.ts';
import { knownSearches } from '../store/search-sweeps.ts';

/** A search is saved before its credit is held: if it is not there now, it was lost. */
export const reconcileReservations = onSchedule(({ call, log, db, orphanedAfterMs }: Deps, context) =>
  releaseUnknown(
    {
      call,
      log,
      reason: SEARCH_REASON,
      olderThanMs: orphanedAfterMs,
      known: (refs) => knownSearches(db, refs),
    },
    context,
  ),
);
