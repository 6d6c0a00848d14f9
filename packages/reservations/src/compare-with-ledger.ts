import { each, type Log, walk } from '@tds/base';
import {
  creditsLedger,
  type FoundItems,
  MAX_REFS,
  type OpenReservation,
  type RequestOf,
  type Surface,
} from '@tds/contracts';
import { ServiceError } from '@tds/errors';
import type { Call } from '@tds/kit';
import type { Context } from '@tds/messaging';

type LedgerCaller = Surface & {
  readonly calls: readonly (
    | typeof creditsLedger.listOpenReservations
    | typeof creditsLedger.lookUpItems
    | typeof creditsLedger.resolveItems
    | typeof creditsLedger.chargeItems
  )[];
};

/** The resolution of held items. Items that are not listed stay held. */
export type Resolution = { readonly ref: string; readonly charge: number[]; readonly release: number[] };

/** A charged delivery, at its place in the order of its owner. */
export type Delivery = {
  readonly cursor: string;
  readonly charge: RequestOf<typeof creditsLedger.chargeItems>;
};

/** A service that holds credits for work of its own. */
export type ReservationOwner = {
  readonly call: Call<LedgerCaller>;
  readonly log: Log;
  /** The reason of all reservations of this service, and of no other. */
  readonly reason: string;
  /** Younger reservations are skipped. Longer than any work runs before its owner saves it. */
  readonly orphanedAfterMs: number;
  /** Decides about held items. Items of unknown work are released. */
  resolveHeld(held: readonly Pick<FoundItems, 'ref' | 'held'>[]): Promise<readonly Resolution[]>;
  /**
   * The next page of deliveries that were charged in the last eight days and should be settled by now. No delivery may appear later at an
   * earlier place. `after` is null for the first page.
   */
  listDeliveries(after: string | null): Promise<readonly Delivery[]>;
  /** The account is closed or frozen: the charge is given up for good. */
  markUncollected(delivery: Delivery): Promise<void>;
};

const resolveOrphans = async (
  { call, log, reason, orphanedAfterMs, resolveHeld }: ReservationOwner,
  context: Context,
): Promise<void> => {
  const query = { reason, olderThanMs: orphanedAfterMs, limit: MAX_REFS };
  let resolved = 0;
  const find = async (after: OpenReservation | null) =>
    (await call(creditsLedger.listOpenReservations, { ...query, after }, context)).rows;
  const resolve = each<Resolution>(async (resolution) => {
    if (resolution.charge.length + resolution.release.length === 0) return;
    await call(creditsLedger.resolveItems, resolution, context);
    resolved += 1;
  });
  const work = async (page: readonly OpenReservation[]) => {
    const refs = page.map(({ ref }) => ref);
    const { rows } = await call(creditsLedger.lookUpItems, { refs }, context);
    await resolve(await resolveHeld(rows.filter(({ held }) => held.length > 0)));
  };
  try {
    await walk(find, work, context.signal);
  } finally {
    if (resolved > 0) log.warn('resolved orphaned reservations', { reason, resolved });
  }
};

/** Items that the ledger has neither charged nor released. */
const findLost = ({ charge }: Delivery, byRef: ReadonlyMap<string, FoundItems>): number[] => {
  const entry = byRef.get(charge.ref);
  const resolved = new Set([...(entry?.charged ?? []), ...(entry?.released ?? [])]);
  return charge.items.filter((item) => !resolved.has(item));
};

const cannotPay = (error: unknown): boolean =>
  error instanceof ServiceError && ['account_closed', 'account_frozen'].includes(error.code);

const chargeLost = async (
  { call, markUncollected }: ReservationOwner,
  delivery: Delivery,
  items: number[],
  context: Context,
): Promise<void> => {
  try {
    await call(creditsLedger.chargeItems, { ...delivery.charge, items }, context);
  } catch (error) {
    if (!cannotPay(error)) throw error;
    await markUncollected(delivery);
  }
};

/** The progress of this process's comparison, and the ledger it is with. */
type ComparisonProgress = { epoch: string | null; cursor: string | null };

const chargePage = async (
  owner: ReservationOwner,
  page: readonly Delivery[],
  progress: ComparisonProgress,
  context: Context,
): Promise<number> => {
  const refs = [...new Set(page.map(({ charge }) => charge.ref))];
  const { rows, ledgerEpoch } = await owner.call(creditsLedger.lookUpItems, { refs }, context);
  if (progress.epoch !== null && progress.epoch !== ledgerEpoch) {
    Object.assign(progress, { epoch: ledgerEpoch, cursor: null });
    return 0;
  }
  progress.epoch = ledgerEpoch;
  const byRef = new Map(rows.map((row) => [row.ref, row]));
  const lostDeliveries = page.flatMap((delivery) => {
    const items = findLost(delivery, byRef);
    return items.length > 0 ? [{ delivery, items }] : [];
  });
  await each<(typeof lostDeliveries)[number]>(({ delivery, items }) =>
    chargeLost(owner, delivery, items, context),
  )(lostDeliveries);
  progress.cursor = page.at(-1)?.cursor ?? progress.cursor;
  return lostDeliveries.length;
};

/** Starts over if the ledger's database has been replaced. */
const noticeSwap = async (
  { call }: ReservationOwner,
  progress: ComparisonProgress,
  context: Context,
): Promise<void> => {
  const { ledgerEpoch } = await call(creditsLedger.lookUpItems, { refs: [] }, context);
  if (progress.epoch !== ledgerEpoch) Object.assign(progress, { epoch: ledgerEpoch, cursor: null });
};

/**
 * Makes an owner of reservations and the ledger agree after either database was restored: releases credits held for unknown work, and charges deliveries
 * again, once, whose charge the ledger lost. A run continues where the last one ended. One failure does not stop the others; the run throws
 * at its end.
 */
export const compareWithLedger = () => {
  const progress: ComparisonProgress = { epoch: null, cursor: null };
  return async (owner: ReservationOwner, context: Context): Promise<void> => {
    await resolveOrphans(owner, context);
    await noticeSwap(owner, progress, context);
    let charged = 0;
    try {
      for (
        let page = await owner.listDeliveries(progress.cursor);
        page.length > 0 && !context.signal.aborted;
      ) {
        charged += await chargePage(owner, page, progress, context);
        page = await owner.listDeliveries(progress.cursor);
      }
    } finally {
      if (charged > 0) {
        owner.log.warn('charged deliveries again that the ledger had lost', {
          reason: owner.reason,
          charged,
        });
      }
    }
  };
};
