import { creditsLedger, MOST_BLOCKS, purchaseRef } from '@tds/contracts';
import { type Context, walk } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { later } from '../domain/checkout-rules.ts';
import { isSettled } from '../domain/purchase-worth.ts';
import { type MovedMoney, movedOf } from '../store/moved-money.ts';
import { pageOfPaid, type StoredPurchase } from '../store/purchases.ts';
import { requestsOf } from '../store/refund-requests.ts';
import { enqueueSettling } from './enqueue-settling.ts';

type Needed = Pick<Deps, 'call' | 'db' | 'messaging' | 'log' | 'now'>;

const isRight = (purchase: StoredPurchase, moved: MovedMoney | undefined, standing: number): boolean =>
  moved !== undefined && isSettled({ ...purchase, ...moved }, standing);

/** Those whose block is not what they are worth, or whose refund has not got on. As in `bringLedger`, the ledger is asked first. */
const unsettled = async (
  { call, db }: Needed,
  page: readonly StoredPurchase[],
  context: Context,
): Promise<StoredPurchase[]> => {
  const ids = page.map(({ id }) => id);
  const { rows } = await call(creditsLedger.lookUpGrants, { refs: ids.map(purchaseRef) }, context);
  const [moved, requests] = [await movedOf(db, ids), await requestsOf(db, ids)];
  const standing = new Map(rows.map((row) => [row.ref, row.standing]));
  return page.filter((purchase) => {
    const { id } = purchase;
    const isUnderWay = ['asked', 'taken'].includes(requests.get(id)?.state ?? '');
    return isUnderWay || !isRight(purchase, moved.get(id), standing.get(purchaseRef(id)) ?? 0);
  });
};

/**
 * Settles anew whatever does not stand at the ledger as it should: after a death, a dead letter, or where one of both databases is one of
 * earlier. What is under way for less than `olderThanMs` is left alone.
 */
export const reconcileWithLedger = async (
  deps: Needed,
  { since, olderThanMs }: { readonly since: Date; readonly olderThanMs: number },
  context: Context,
): Promise<void> => {
  const { db, messaging, log, now } = deps;
  const newest = later(await now(), -olderThanMs);
  let settled = 0;
  const find = (after: StoredPurchase | null) => pageOfPaid(db, { since, after, limit: MOST_BLOCKS });
  const work = async (page: readonly StoredPurchase[]): Promise<void> => {
    const due = await unsettled(
      deps,
      page.filter(({ changedAt }) => changedAt <= newest),
      context,
    );
    await messaging.transaction(db, async (_tx, send) => {
      for (const { id } of due) await enqueueSettling(send, id);
    });
    settled += due.length;
  };
  try {
    await walk(find, work, context.signal);
  } finally {
    if (settled > 0) log.warn('purchases that the ledger had otherwise are settled anew', { settled });
  }
};
