import { billing } from '@tds/contracts';
import { crashPoint, onTask, type TaskContext } from '@tds/service-kit';
import { admitPurchase } from '../application/admit-purchase.ts';
import { bringLedger } from '../application/bring-ledger.ts';
import type { Owned } from '../application/plain-purchases.ts';
import { submitRefund } from '../application/submit-refund.ts';
import { takeBack } from '../application/take-back.ts';
import { tellStandings } from '../application/tell-standings.ts';
import type { Deps } from '../deps.ts';
import { saveGranted } from '../store/customers.ts';
import { noteMisfitsOf } from '../store/moved-money.ts';
import { findPurchase, type StoredPurchase } from '../store/purchases.ts';
import { findRequest } from '../store/refund-requests.ts';

/** Ends the task with what the account's own purchases make of it. */
const conclude = async (
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
  await conclude(deps, purchase, task);
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
