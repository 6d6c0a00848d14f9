import { billing, identity } from '@tds/contracts';
import { type Context, crashPoint, onTask, type TaskContext } from '@tds/service-kit';
import { bringLedger } from '../application/bring-ledger.ts';
import { submitRefund } from '../application/submit-refund.ts';
import { takeBack } from '../application/take-back.ts';
import { tellStandings } from '../application/tell-standings.ts';
import type { Deps } from '../deps.ts';
import { saveCustomer, saveGranted } from '../store/customers.ts';
import { findPurchase, type StoredPurchase, saveAccount } from '../store/purchases.ts';
import { findRequest } from '../store/refund-requests.ts';

/** Whoever has paid under an address has an account from then on. */
const withAccount = async ({ call, db }: Deps, purchase: StoredPurchase, context: Context) => {
  const { accountId: known, email, customerId, id } = purchase;
  if (known !== null) return { ...purchase, accountId: known };
  const { accountId } = await call(identity.accountOfBuyer, { email: email ?? '' }, context);
  await saveAccount(db, id, accountId);
  if (customerId !== null) await saveCustomer(db, accountId, customerId);
  return { ...purchase, accountId };
};

/** Ends the task with what the account's purchases make of it. */
const conclude = async (
  { db, messaging, now }: Deps,
  purchase: { readonly id: string; readonly accountId: string },
  task: TaskContext,
): Promise<void> => {
  await messaging.transaction(db, async (tx, send) => {
    await saveGranted(tx, [purchase], now());
    await tellStandings({ tx, send }, [purchase]);
    await task.complete(tx);
  });
};

/** Every step asks what is the case and does what is missing, so that dying between any two of them costs nothing. */
export const settlePurchase = onTask(billing.settlePurchase, async (deps: Deps, { purchaseId }, task) => {
  const known = await findPurchase(deps.db, purchaseId);
  if (known?.state !== 'paid') return;
  const purchase = await withAccount(deps, known, task);
  // Nobody can ask for a refund before the ledger has the purchase.
  const request = purchase.grantedAt === null ? null : await findRequest(deps.db, purchaseId);
  if (request?.state === 'asked') await takeBack(deps, purchase, task);
  await bringLedger(deps, purchase, task);
  crashPoint('purchase-granted');
  if ((await submitRefund(deps, purchase)) === 'refused') await bringLedger(deps, purchase, task);
  await conclude(deps, purchase, task);
});
