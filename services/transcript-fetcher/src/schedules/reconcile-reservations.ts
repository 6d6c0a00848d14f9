import { creditsLedger, MOST_RESERVATIONS } from '@tds/contracts';
import { type Holder, releaseUnknown } from '@tds/reservations';
import { type Context, each, onSchedule } from '@tds/service-kit';
import { chargeAnew, reportUncollected, TRANSCRIPT_REASON } from '../application/credits.ts';
import type { Deps } from '../deps.ts';
import { type Remedy, remedyFor } from '../domain/reconciling.ts';
import {
  FIRST_ID,
  giveUpCharge,
  knownOperations,
  type ResolvedOperation,
  resolvedOperations,
} from '../store/unresolved.ts';

/** Of operations in a run: at the largest daily number of cold fetches a week of them is walked through within the hour. */
const PAGES_PER_RUN = 20;

/**
 * Makes ledger and operations agree again after one of their databases was put back to an earlier state: what the ledger
 * holds for an operation that nobody knows is given back, and the last word of every operation is repeated if the ledger has
 * forgotten it. What is under way is left to those who work on it, so between two sound databases nothing happens.
 */
export const reconcileReservations = onSchedule(async (deps: Deps, context) => {
  const steps = [() => releaseUnknown(holderOf(deps), context), () => repeatLastWords(deps, context)];
  await each<() => Promise<void>>((step) => step())(steps);
});

/** An operation is saved before its credit is reserved: if it is not there now, it was lost. */
const holderOf = ({ call, log, sql, orphanedAfterMs: olderThanMs }: Deps): Holder => ({
  ...{ call, log, reason: TRANSCRIPT_REASON, olderThanMs },
  known: (refs) => knownOperations(sql, refs),
});

async function repeatLastWords(deps: Deps, context: Context): Promise<void> {
  const { db, reconciled } = deps;
  for (let page = 0; page < PAGES_PER_RUN && !context.signal.aborted; page += 1) {
    const operations = await resolvedOperations(db, reconciled.upTo, MOST_RESERVATIONS);
    const differing = await differingFromLedger(deps, operations, context);
    const isLast = operations.length < MOST_RESERVATIONS;
    reconciled.upTo = isLast ? FIRST_ID : (operations.at(-1)?.id ?? FIRST_ID);
    await each<Differing>((found) => apply(deps, found, context))(differing);
    if (isLast) return;
  }
}

type Differing = { readonly operation: ResolvedOperation; readonly remedy: Exclude<Remedy, null> };

async function differingFromLedger(
  { call }: Deps,
  operations: readonly ResolvedOperation[],
  context: Context,
): Promise<Differing[]> {
  const refs = operations.map(({ id }) => id);
  const { rows } = await call(creditsLedger.lookUpReservations, { refs }, context);
  const found = new Map(rows.map((row) => [row.ref, row]));
  return operations.flatMap((operation) => {
    const remedy = remedyFor(operation.settlement, found.get(operation.id));
    return remedy === null ? [] : [{ operation, remedy }];
  });
}

async function apply(deps: Deps, { operation, remedy }: Differing, context: Context): Promise<void> {
  const { call, db } = deps;
  const { id: ref } = operation;
  if (remedy === 'settle') await call(creditsLedger.settleReservation, { ref }, context);
  else if (remedy === 'release') await call(creditsLedger.releaseReservation, { ref }, context);
  else if (remedy === 'refund') await call(creditsLedger.refundCharge, { ref }, context);
  else if (remedy === 'give up' || (await chargeAnew(deps, operation, context)) === 'uncollected') {
    if (await giveUpCharge(db, ref)) reportUncollected(deps, operation);
  }
}
