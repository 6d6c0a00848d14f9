import { creditsLedger, MOST_RESERVATIONS, type OpenReservation } from '@tds/contracts';
import { onSchedule } from '@tds/service-kit';
import { SEARCH_REASON } from '../commands/search-page.ts';
import type { Deps } from '../deps.ts';
import { knownSearches } from '../store/search-sweeps.ts';

/**
 * Gives back what the ledger holds for searches that nobody knows. A search is saved before its credit is held, so one
 * that is not there was lost with an earlier state of this database.
 */
export const reconcileReservations = onSchedule(async ({ kit, db, config }: Deps, context) => {
  const asked = { reason: SEARCH_REASON, olderThanMs: config.ORPHANED_AFTER, limit: MOST_RESERVATIONS };
  let after: OpenReservation | null = null;
  do {
    const page: { rows: OpenReservation[] } = await kit.call(
      creditsLedger.listOpenReservations,
      { ...asked, after },
      context,
    );
    const known = await knownSearches(
      db,
      page.rows.map(({ ref }) => ref),
    );
    const lost = page.rows.filter(({ ref }) => !known.has(ref));
    for (const { ref } of lost) await kit.call(creditsLedger.releaseReservation, { ref }, context);
    if (lost.length > 0)
      kit.log.warn('credits that no search knew were given back', { released: lost.length });
    after = page.rows.at(-1) ?? null;
  } while (after !== null && !context.signal.aborted);
});
