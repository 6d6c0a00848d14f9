import { type ChargedReservation, creditsLedger, MOST_RESERVATIONS } from '@tds/contracts';
import { type Context, each, onSchedule, walk } from '@tds/service-kit';
import { releaseRef } from '../application/reserve-round.ts';
import { settle } from '../application/settle-rows.ts';
import type { Deps } from '../deps.ts';
import { attachCharged, type KnownRound, knownRounds } from '../store/charged-rounds.ts';
import type { Tx } from '../store/database.ts';
import { JOB_REASON } from '../store/rounds.ts';

/** Longer than the stream keeps events; jobs are kept much longer. */
const LOOKED_AT_MS = 8 * 86_400_000;

/** Whoever was charged for a round that nobody knows has nothing of it. */
const refundLost = async (deps: Deps, ref: string, context: Context): Promise<number> => {
  await releaseRef(deps, ref, context);
  const { outcome } = await deps.kit.call(creditsLedger.refundCharge, { ref }, context);
  return outcome === 'granted' ? 1 : 0;
};

/** The reservation is resolved, so asking which of its parts are charged charges none. */
const attach = async (deps: Deps, round: KnownRound, context: Context): Promise<number> => {
  const all = Array.from({ length: round.parts }, (_, index) => index + 1);
  const { charged } = await settle(deps, round.ref, all, context);
  return deps.kit.messaging.transaction(deps.db, (tx: Tx) => attachCharged(tx, round, [...charged]));
};

/**
 * After this database was put back to an earlier state: what was charged for rounds that it has lost is given back, and rows that
 * were found in the cache because they had been paid for are said to be paid. What is held still is left to those who work on it.
 */
export const reconcileCharges = onSchedule(async (deps: Deps, context): Promise<void> => {
  const { kit, db, config } = deps;
  const done = { refunded: 0, attached: 0 };
  const asked = {
    ...{ reason: JOB_REASON, olderThanMs: config.ORPHANED_AFTER, youngerThanMs: LOOKED_AT_MS },
    limit: MOST_RESERVATIONS,
  };
  const find = async (after: ChargedReservation | null) =>
    (await kit.call(creditsLedger.listChargedReservations, { ...asked, after: after?.ref ?? null }, context))
      .rows;
  const work = async (page: readonly ChargedReservation[]): Promise<void> => {
    const rounds = await knownRounds(
      db,
      page.map(({ ref }) => ref),
    );
    await each<ChargedReservation>(async ({ ref, state, charged, isRefunded }) => {
      const round = rounds.get(ref);
      if (round === undefined && !isRefunded) done.refunded += await refundLost(deps, ref, context);
      if (round && state !== 'open' && charged > round.fetched)
        done.attached += await attach(deps, round, context);
    })(page);
  };
  try {
    await walk(find, work, context.signal);
  } finally {
    if (done.refunded + done.attached > 0)
      kit.log.warn('charges of jobs that were lost were set right', done);
  }
});
