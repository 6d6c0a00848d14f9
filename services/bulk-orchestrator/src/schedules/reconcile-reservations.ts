import { creditsLedger, MOST_RESERVATIONS, type OpenReservation } from '@tds/contracts';
import { onSchedule } from '@tds/service-kit';
import { releaseRef } from '../application/reserve-round.ts';
import type { Deps } from '../deps.ts';
import { JOB_REASON, knownRefs } from '../store/rounds.ts';

/**
 * Gives back what the ledger holds for jobs that nobody knows, or that hold nothing any more. A job is saved before its credits
 * are held, so one that is not there was lost with an earlier state of this database.
 */
export const reconcileReservations = onSchedule(async (deps: Deps, context) => {
  const { kit, db, config } = deps;
  const asked = { reason: JOB_REASON, olderThanMs: config.ORPHANED_AFTER, limit: MOST_RESERVATIONS };
  let after: OpenReservation | null = null;
  do {
    const page: { rows: OpenReservation[] } = await kit.call(
      creditsLedger.listOpenReservations,
      { ...asked, after },
      context,
    );
    const known = await knownRefs(
      db,
      page.rows.map(({ ref }) => ref),
    );
    const lost = page.rows.filter(({ ref }) => !known.has(ref));
    for (const { ref } of lost) await releaseRef(deps, ref, context);
    if (lost.length > 0) kit.log.warn('credits that no job needs were given back', { released: lost.length });
    after = page.rows.at(-1) ?? null;
  } while (after !== null && !context.signal.aborted);
});
