import { billing, creditsLedger, purchaseRef } from '@tds/contracts';
import { type Context, crashPoint, onTask, type TaskContext } from '@tds/service-kit';
import { enqueueSettling } from '../application/enqueue-settling.ts';
import { type Owned, plainOf } from '../application/plain-purchases.ts';
import { tellStandings } from '../application/tell-standings.ts';
import type { Deps } from '../deps.ts';
import { saveGranted } from '../store/customers.ts';
import { admitFirst, lockLimits } from '../store/limited-purchases.ts';
import { findPurchases, lockPurchases } from '../store/purchases.ts';

/** Resolves to those that are within the limit of new accounts at first sight; the others are looked at by themselves. */
const admit = async ({ db, messaging }: Deps, plain: readonly Owned[]): Promise<Owned[]> => {
  const admitted = await messaging.transaction(db, async (tx) => {
    await lockLimits(
      tx,
      plain.map(({ accountId }) => accountId),
    );
    return admitFirst(
      tx,
      plain.map(({ id }) => id),
    );
  });
  return plain.filter(({ id }) => admitted.has(id));
};

/** Resolves to those that the ledger has. */
const grant = async ({ call }: Deps, plain: readonly Owned[], context: Context): Promise<Owned[]> => {
  if (plain.length === 0) return [];
  const purchases = plain.map(({ accountId, id, block }) => ({
    accountId,
    ref: purchaseRef(id),
    amount: block,
  }));
  const { outcomes } = await call(creditsLedger.grantPurchases, { purchases }, context);
  return plain.filter((_, index) => outcomes[index] === 'granted');
};

/**
 * Ends the task. What is not granted, or is no longer worth its block, is settled by itself: money may have moved while the ledger was
 * asked, and whoever has settled that found nothing to take back there.
 */
const conclude = async (
  { db, messaging }: Deps,
  { purchaseIds, granted }: { readonly purchaseIds: readonly string[]; readonly granted: readonly Owned[] },
  task: TaskContext,
): Promise<void> => {
  const grantedIds = new Set(granted.map(({ id }) => id));
  await messaging.transaction(db, async (tx, send) => {
    const locked = await lockPurchases(tx, { ids: purchaseIds });
    const plain = await plainOf(tx, locked.values());
    await tellStandings({ tx, send }, await saveGranted(tx, [...grantedIds]));
    const settled = new Set(plain.map(({ id }) => id).filter((id) => grantedIds.has(id)));
    for (const id of purchaseIds) if (!settled.has(id)) await enqueueSettling(send, id);
    await task.complete(tx);
  });
};

/** Repeating it changes nothing: each purchase is granted once, and its row is read under its lock. */
export const grantPurchases = onTask(billing.grantPurchases, async (deps: Deps, { purchaseIds }, task) => {
  const waiting = (await findPurchases(deps.db, purchaseIds)).filter(({ grantedAt }) => grantedAt === null);
  const granted = await grant(deps, await admit(deps, await plainOf(deps.db, waiting)), task);
  crashPoint('purchase-granted');
  await conclude(deps, { purchaseIds, granted }, task);
});
