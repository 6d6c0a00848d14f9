import { billing, creditsLedger, purchaseRef } from '@tds/contracts';
import { type Context, crashPoint, onTask, type TaskContext } from '@tds/service-kit';
import { submitRefund, takeBack } from './application/refunds.ts';
import {
  admitPurchase,
  bringLedger,
  enqueueSettling,
  type Owned,
  plainOf,
  tellStandings,
} from './application/settling.ts';
import type { Deps } from './deps.ts';
import { saveGranted } from './store/customers.ts';
import { admitFirst, lockLimits } from './store/limited-purchases.ts';
import { findRequest, noteMisfitsOf } from './store/moved-money.ts';
import { findPurchase, findPurchases, lockPurchases, type StoredPurchase } from './store/purchases.ts';

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

/** Ends the task with what the account's own purchases make of it. */
const concludeSettlePurchase = async (
  { db, messaging }: Deps,
  purchase: { readonly id: string },
  task: TaskContext,
): Promise<void> => {
  await messaging.transaction(db, async (tx, send) => {
    await tellStandings({ tx, send }, await saveGranted(tx, [purchase.id]));
    await task.complete(tx);
  });
};

const settle = async (deps: Deps, purchase: Owned, task: TaskContext): Promise<void> => {
  // Nobody can ask for a refund before the ledger has the purchase.
  const request = purchase.grantedAt === null ? null : await findRequest(deps.db, purchase.id);
  if (request?.state === 'asked') await takeBack(deps, purchase, task);
  await bringLedger(deps, purchase, task);
  crashPoint('purchase-granted');
  if ((await submitRefund(deps, purchase)) === 'refused') await bringLedger(deps, purchase, task);
  await concludeSettlePurchase(deps, purchase, task);
};

const isOwned = (purchase: StoredPurchase): purchase is Owned => purchase.accountId !== null;

/** Every step asks what is the case and does what is missing, so that dying between any two of them costs nothing. */
export const settlePurchase = onTask(billing.settlePurchase, async (deps: Deps, { purchaseId }, task) => {
  const known = await findPurchase(deps.db, purchaseId);
  if (known?.state !== 'paid') return;
  await noteMisfitsOf(deps.db, purchaseId);
  const purchase = known.admittedAt === null ? await admitPurchase(deps, known, task) : known;
  if (isOwned(purchase)) await settle(deps, purchase, task);
  else await submitRefund(deps, purchase);
});
