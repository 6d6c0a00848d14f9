import { billing, creditsLedger, identity, purchaseRef } from '@tds/contracts';
import type { Context, Sender } from '@tds/messaging';
import type { Deps } from '../deps.ts';
import { isWithinLimit } from '../domain/checkout.ts';
import { computeWorth } from '../domain/purchase.ts';
import { admitFirst, countPurchases, lockAdmission, saveAdmitted } from '../store/admission.ts';
import { renewStatuses } from '../store/customers.ts';
import type { Db } from '../store/database.ts';
import { findMovedMoney, insertRequest } from '../store/money.ts';
import { findPurchase, lockPurchases, type StoredPurchase } from '../store/purchases.ts';
import type { Surface } from '../surface.ts';

/** The reason of refunds that follow the closing of an account. */
export const ACCOUNT_CLOSED = 'The account is closed.';

/** A purchase that belongs to an account. */
export type OwnedPurchase = StoredPurchase & { readonly accountId: string };
export const isOwned = (purchase: StoredPurchase): purchase is OwnedPurchase => purchase.accountId !== null;

/** Enqueues the granting of purchases by one command. */
export const enqueueGranting = async (send: Sender<Surface>, purchaseIds: readonly string[]) => {
  if (purchaseIds.length > 0) await send.enqueue(billing.grantPurchases, { purchaseIds: [...purchaseIds] });
};

/** Enqueues the settling of a purchase; one task runs at a time for each purchase. */
export const enqueueSettling = (send: Sender<Surface>, purchaseId: string) =>
  send.enqueue(billing.settlePurchase, { purchaseId }, { partition: purchaseId });

/** Filters paid purchases of accounts that are worth their whole block: the ledger needs to grant these and nothing else. */
export const findWholePurchases = async (
  db: Db,
  purchases: Iterable<StoredPurchase>,
): Promise<OwnedPurchase[]> => {
  const ownedPurchases = [...purchases].filter(isOwned).filter(({ state }) => state === 'paid');
  const moneyById = await findMovedMoney(
    db,
    ownedPurchases.map(({ id }) => id),
  );
  return ownedPurchases.filter((purchase) => {
    const money = moneyById.get(purchase.id);
    return money !== undefined && computeWorth({ ...purchase, ...money }) === purchase.block;
  });
};

/** Returns the money of a purchase whose credits were never granted, unless it has been admitted meanwhile. */
export const refundPurchase = async (
  { db, messaging, now }: Pick<Deps, 'db' | 'messaging' | 'now'>,
  purchaseId: string,
  reason: string,
) => {
  const at = await now();
  await messaging.transaction(db, async (tx, send) => {
    const purchase = (await lockPurchases(tx, { ids: [purchaseId] })).get(purchaseId);
    if (!purchase || purchase.admittedAt !== null) return;
    // A request that the processor has rejected is not repeated.
    const isNew = await insertRequest(tx, { purchaseId, reason, state: 'taken' }, at);
    if (isNew) await enqueueSettling(send, purchaseId);
  });
};

type SettlingDeps = Pick<Deps, 'call' | 'db' | 'messaging' | 'now'>;

/** Admits a purchase within the limit of new accounts, or refunds it. Others may have been paid since its page was opened. */
const admitWithinLimit = async (deps: SettlingDeps, { id, accountId }: OwnedPurchase, context: Context) => {
  const { spent } = await deps.call(creditsLedger.getSpending, { accountId }, context);
  const at = await deps.now();
  const isAdmitted = await deps.messaging.transaction(deps.db, async (tx) => {
    await lockAdmission(tx, [accountId]);
    if ((await admitFirst(tx, [id])).has(id)) return true;
    // Without this purchase itself.
    const purchases = (await countPurchases(tx, accountId)) - 1;
    if (!isWithinLimit({ purchases, spent })) return false;
    await saveAdmitted(tx, id, accountId, at);
    return true;
  });
  if (!isAdmitted) await refundPurchase(deps, id, 'It is above the limit of new accounts.');
};

/**
 * Admits a paid purchase to its account, leaves it waiting for acceptance, or gives its money back. A block that the ledger has already
 * was admitted before this database was restored. Resolves to the purchase as it is then.
 */
export const admitPurchase = async (
  deps: SettlingDeps,
  purchase: StoredPurchase,
  context: Context,
): Promise<StoredPurchase> => {
  const { id, email } = purchase;
  const { rows } = await deps.call(creditsLedger.lookUpGrants, { refs: [purchaseRef(id)] }, context);
  const money = (await findMovedMoney(deps.db, [id])).get(id);
  if (rows[0]) await saveAdmitted(deps.db, id, rows[0].accountId, await deps.now());
  else if (!money || computeWorth({ ...purchase, ...money }) === 0) return purchase;
  else if (isOwned(purchase)) await admitWithinLimit(deps, purchase, context);
  else {
    const { isClosed } = await deps.call(identity.isAddressClosed, { email: email ?? '' }, context);
    if (isClosed) await refundPurchase(deps, id, ACCOUNT_CLOSED);
  }
  return (await findPurchase(deps.db, id)) ?? purchase;
};

type LedgerDeps = Pick<Deps, 'call' | 'db' | 'now'>;

const readWorth = async ({ db }: LedgerDeps, purchase: OwnedPurchase) => {
  const money = (await findMovedMoney(db, [purchase.id])).get(purchase.id);
  if (!money) throw new Error(`the purchase ${purchase.id} is gone`);
  const reason = money.hasDispute ? 'dispute' : 'refund';
  return { net: computeWorth({ ...purchase, ...money }), reason } as const;
};

const blockOf = ({ accountId, id }: OwnedPurchase) => ({ accountId, ref: purchaseRef(id) });

/** Grants the block. Resolves to false for a closed account, whose money is refunded unless it had the credits before. */
const grant = async ({ call, db, now }: LedgerDeps, purchase: OwnedPurchase, context: Context) => {
  const block = { ...blockOf(purchase), amount: purchase.block };
  const { outcomes } = await call(creditsLedger.grantPurchases, { purchases: [block] }, context);
  if (outcomes[0] === 'granted') return true;
  if (outcomes[0] !== 'closed') throw new Error(`the ledger rejects the grant of ${block.ref}: ${outcomes[0]}`);
  const request = { purchaseId: purchase.id, reason: ACCOUNT_CLOSED, state: 'taken' } as const;
  if (purchase.grantedAt === null) await insertRequest(db, request, await now());
  return false;
};

/**
 * Makes the ledger's block equal to the worth of a purchase. Reads the ledger before our rows: a refund takes its block back in the
 * ledger first and saves it here second, so this order never replaces a block that is being refunded. Resolves to whether the ledger has
 * the account as closed.
 */
export const syncLedger = async (
  deps: LedgerDeps,
  purchase: OwnedPurchase,
  context: Context,
): Promise<{ readonly isClosed: boolean }> => {
  const block = blockOf(purchase);
  const { rows } = await deps.call(creditsLedger.lookUpGrants, { refs: [block.ref] }, context);
  const { net, reason } = await readWorth(deps, purchase);
  const [ledgerBlock] = rows;
  if (!ledgerBlock && net === 0) return { isClosed: false };
  if (!ledgerBlock && !(await grant(deps, purchase, context))) return { isClosed: true };
  if ((ledgerBlock ? ledgerBlock.net : purchase.block) !== net)
    await deps.call(creditsLedger.correctBlock, { ...block, net, reason }, context);
  return { isClosed: ledgerBlock?.isClosed === true };
};

/** Emits the status of each locked customer whose purchases have changed it. */
export const emitStatuses = async (
  { tx, send }: { readonly tx: Db; readonly send: Sender<Surface> },
  accountIds: readonly string[],
) => {
  for (const customer of await renewStatuses(tx, accountIds))
    await send.emit(billing.customerChanged, customer);
};
