import { creditsLedger, MOST_REFS } from '@tds/contracts';
import type { Delivery, LedgerHolder, Verdict } from '@tds/reservations';
import { type Context, onSchedule } from '@tds/service-kit';
import { CREDITS_PER_ROW, holdFor, TRANSCRIPT_REASON } from '../application/credits.ts';
import type { Deps } from '../deps.ts';
import { LANES } from '../domain/operation.ts';
import { chargedRows, disownedRows, type RowOfPart, rowsOfRefs } from '../store/compared.ts';
import { saveUncollected } from '../store/dues.ts';

/**
 * Makes ledger and rows agree again after one of their databases was put back to an earlier state. What is under way is left to those
 * who work on it, so between two sound databases nothing happens.
 */
export const reconcileReservations = onSchedule(async (deps: Deps, context) => {
  await deps.compare(holderOf(deps), context);
  await refundVoid(deps, context);
});

const holderOf = ({ call, log, sql, db, orphanedAfterMs }: Deps): LedgerHolder => ({
  call,
  log,
  reason: TRANSCRIPT_REASON,
  orphanedAfterMs,
  judge: async (held) => {
    const rows = await rowsOfRefs(
      sql,
      held.map(({ ref }) => ref),
    );
    const ofRef = Map.groupBy(rows, ({ ref }) => ref);
    return held.map(({ ref, held: parts }) => verdictOn(ref, parts, ofRef.get(ref) ?? []));
  },
  delivered: async (after) =>
    (await chargedRows(sql, after, MOST_REFS)).map(({ place, part, ...row }): Delivery => {
      const lineId = row.lane === LANES.jobs ? row.line_id : null;
      const payer = {
        ref: row.ref,
        accountId: row.account_id,
        keyId: row.key_id,
        lineId,
        requestId: row.ref,
      };
      return { place, charge: { ...holdFor(payer), unit: CREDITS_PER_ROW, parts: [part] } };
    }),
  uncollected: async ({ charge: { ref, parts, accountId } }) => {
    if ((await saveUncollected(db, ref, parts)) > 0)
      log.error('deliveries cannot be charged any more', { ref, accountId });
  },
});

/** A row is saved before its credit is held: a part without one was lost. */
const verdictOn = (ref: string, held: readonly number[], rows: readonly RowOfPart[]): Verdict => {
  const chargeOf = new Map(rows.map(({ part, charge }) => [part, charge]));
  return {
    ref,
    charge: held.filter((part) => chargeOf.get(part) === true),
    giveBack: held.filter((part) => !chargeOf.has(part) || chargeOf.get(part) === false),
  };
};

/** What was disowned after it was charged stays given back, also by a ledger that has lost that. */
const refundVoid = async ({ sql, call }: Deps, context: Context): Promise<void> => {
  const disowned = await disownedRows(sql, MOST_REFS);
  if (disowned.length === 0) return;
  const refs = disowned.map(({ ref }) => ref);
  const { rows } = await call(creditsLedger.lookUpParts, { refs }, context);
  for (const { ref, charged, refunded } of rows) {
    const isVoid = new Set(disowned.find((each) => each.ref === ref)?.parts);
    const parts = charged.filter((part) => isVoid.has(part) && !refunded.includes(part));
    if (parts.length > 0) await call(creditsLedger.refundParts, { ref, parts }, context);
  }
};
