import { billing, creditsLedger, identity, purchaseRef } from '@tds/contracts';
import { onTask } from '@tds/kit';
import { type Context, crashPoint, type TaskContext } from '@tds/messaging';
import { closePage } from './application/checkouts.ts';
import {
  recordRejectedRefund,
  requestUntouchedRefund,
  submitRefund,
  takeBackCredits,
} from './application/refunds.ts';
import {
  admitPurchase,
  emitStatuses,
  enqueueSettling,
  findWholePurchases,
  isOwned,
  type OwnedPurchase,
  syncLedger,
} from './application/settling.ts';
import type { Deps } from './deps.ts';
import { admitFirst, lockAdmission } from './store/admission.ts';
import { findOpen } from './store/checkouts.ts';
import { saveGranted } from './store/customers.ts';
import { findRequest, noteMismatches } from './store/money.ts';
import { findPurchase, findPurchases, lockPurchases, touchPaid } from './store/purchases.ts';

const idsOf = (purchases: readonly OwnedPurchase[]) => purchases.map(({ id }) => id);

/** Admits the purchases that are the first ones of their accounts and resolves to them. The others are settled one by one. */
const admitTogether = async ({ db, messaging }: Deps, purchases: readonly OwnedPurchase[]) => {
  const admitted = await messaging.transaction(db, async (tx) => {
    await lockAdmission(
      tx,
      purchases.map(({ accountId }) => accountId),
    );
    return admitFirst(tx, idsOf(purchases));
  });
  return purchases.filter(({ id }) => admitted.has(id));
};

/** Grants purchases by one command. Resolves to those that the ledger granted. */
const grantTogether = async ({ call }: Deps, wholePurchases: readonly OwnedPurchase[], context: Context) => {
  if (wholePurchases.length === 0) return [];
  const purchases = wholePurchases.map(({ accountId, id, block: amount }) => ({
    accountId,
    ref: purchaseRef(id),
    amount,
  }));
  const { outcomes } = await call(creditsLedger.grantPurchases, { purchases }, context);
  return wholePurchases.filter((_, index) => outcomes[index] === 'granted');
};

/** Grants purchases that were paid together. A repeat grants nothing twice, and each row is read again under its lock. */
export const grantPurchases = onTask(billing.grantPurchases, async (deps: Deps, { purchaseIds }, task) => {
  const { db, messaging } = deps;
  const waiting = (await findPurchases(db, purchaseIds)).filter(({ grantedAt }) => grantedAt === null);
  const granted = await grantTogether(
    deps,
    await admitTogether(deps, await findWholePurchases(db, waiting)),
    task,
  );
  crashPoint('purchase-granted');
  const grantedIds = new Set(idsOf(granted));
  await messaging.transaction(db, async (tx, send) => {
    const purchases = await lockPurchases(tx, { ids: purchaseIds });
    const wholeIds = new Set(idsOf(await findWholePurchases(tx, purchases.values())));
    await emitStatuses({ tx, send }, await saveGranted(tx, [...grantedIds]));
    // A purchase that lost money during the grant is settled again: settling it earlier found no block to take back.
    for (const id of purchaseIds) if (!grantedIds.has(id) || !wholeIds.has(id)) await enqueueSettling(send, id);
    await task.complete(tx);
  });
});

const settleOwned = async (deps: Deps, purchase: OwnedPurchase, task: TaskContext) => {
  // A refund can be requested only after the grant.
  const request = purchase.grantedAt === null ? null : await findRequest(deps.db, purchase.id);
  if (request?.state === 'asked') await takeBackCredits(deps, purchase, task);
  let { isClosed } = await syncLedger(deps, purchase, task);
  crashPoint('purchase-granted');
  if ((await submitRefund(deps, purchase)) === 'refused')
    ({ isClosed } = await syncLedger(deps, purchase, task));
  // A block that could not be taken back now is tried again by reconciliation, not by this task.
  if (isClosed && request?.state !== 'asked') await requestUntouchedRefund(deps, purchase, task);
  await deps.messaging.transaction(deps.db, async (tx, send) => {
    await emitStatuses({ tx, send }, await saveGranted(tx, [purchase.id]));
    await task.complete(tx);
  });
};

/** Brings ledger, processor and identity to the state of a purchase. Each step does only what is missing, so it can be repeated. */
export const settlePurchase = onTask(billing.settlePurchase, async (deps: Deps, { purchaseId }, task) => {
  const stored = await findPurchase(deps.db, purchaseId);
  if (stored?.state !== 'paid') return;
  await noteMismatches(deps.db, purchaseId);
  const purchase = stored.admittedAt === null ? await admitPurchase(deps, stored, task) : stored;
  if (isOwned(purchase)) await settleOwned(deps, purchase, task);
  else if ((await submitRefund(deps, purchase)) === 'refused') await recordRejectedRefund(deps.db, purchaseId);
});

/**
 * Settles the purchases of a closed account and those that wait for its acceptance, and closes its open page. What is paid later is
 * refunded when it is settled.
 */
export const settleClosedAccount = onTask(
  billing.settleClosedAccount,
  async (deps: Deps, { accountId }, task) => {
    const { db, messaging, now } = deps;
    const { account } = await deps.call(identity.getAccount, { accountId, keyId: null }, task);
    const at = await now();
    await messaging.transaction(db, async (tx, send) => {
      for (const id of await touchPaid(tx, { accountId, email: account.email }, at))
        await enqueueSettling(send, id);
    });
    const open = await findOpen(db, accountId);
    if (open) await closePage(deps, open);
    await db.$transaction((tx) => task.complete(tx));
  },
);
