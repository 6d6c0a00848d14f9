import { creditsLedger, MAX_REFS } from '@tds/contracts';
import { onSchedule } from '@tds/kit';
import type { Context } from '@tds/messaging';
import type { compareWithLedger, Delivery, ReservationOwner, Resolution } from '@tds/reservations';
import type { Deps } from '../deps.ts';
import { giveUp, TRANSCRIPT_REASON, toCharge } from './credits.ts';
import { chargedRows, findRowsByRefs, type RowOfItem, waivedRows } from './store/settlements.ts';

type RecoveryDeps = Deps & {
  readonly orphanedAfterMs: number;
  readonly compare: ReturnType<typeof compareWithLedger>;
};

/**
 * Makes ledger and rows agree again after one of their databases was restored. Skips work under way, so it changes nothing between two
 * sound databases.
 */
export const reconcileReservations = onSchedule(async (deps: RecoveryDeps, context) => {
  await deps.compare(toReservationOwner(deps), context);
  await refundVoid(deps, context);
});

const toReservationOwner = ({ call, log, sql, db, orphanedAfterMs }: RecoveryDeps): ReservationOwner => ({
  call,
  log,
  reason: TRANSCRIPT_REASON,
  orphanedAfterMs,
  resolveHeld: async (reservations) => {
    const rows = await findRowsByRefs(
      sql,
      reservations.map(({ ref }) => ref),
    );
    const rowsByRef = Map.groupBy(rows, ({ ref }) => ref);
    return reservations.map(({ ref, held: items }) => toResolution(ref, items, rowsByRef.get(ref) ?? []));
  },
  listDeliveries: async (after) =>
    (await chargedRows(sql, after, MAX_REFS)).map((row): Delivery => {
      const { cursor, ref, item } = row;
      return { cursor, charge: toCharge(row, [item], ref) };
    }),
  markUncollected: ({ charge }) => giveUp({ db, log }, charge),
});

/** A row is saved before its credit is held, so an item without a row was lost. */
const toResolution = (ref: string, held: readonly number[], rows: readonly RowOfItem[]): Resolution => {
  const charges = new Map(rows.map(({ item, charge }) => [item, charge]));
  return {
    ref,
    charge: held.filter((item) => charges.get(item) === true),
    release: held.filter((item) => !charges.has(item) || charges.get(item) === false),
  };
};

/** Refunds waived charges again that a restored ledger has lost. */
const refundVoid = async ({ sql, call }: Deps, context: Context): Promise<void> => {
  const waived = await waivedRows(sql, MAX_REFS);
  if (waived.length === 0) return;
  const refs = waived.map(({ ref }) => ref);
  const { rows } = await call(creditsLedger.lookUpItems, { refs }, context);
  for (const { ref, charged, refunded } of rows) {
    const isVoid = new Set(waived.find((each) => each.ref === ref)?.items);
    const items = charged.filter((item) => isVoid.has(item) && !refunded.includes(item));
    if (items.length > 0) await call(creditsLedger.refundItems, { ref, items }, context);
  }
};
