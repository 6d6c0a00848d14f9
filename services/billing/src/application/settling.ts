import { billing, creditsLedger, identity, purchaseRef } from '@tds/contracts';
import type { Context, Sender } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { mayTakeIn } from '../domain/checkout.ts';
import { worthOf } from '../domain/purchase.ts';
import { renewStandings } from '../store/customers.ts';
import type { Db } from '../store/database.ts';
import { admitFirst, countStanding, lockLimits, saveAdmitted } from '../store/limited-purchases.ts';
import { insertRequest, movedOf } from '../store/moved-money.ts';
import { findPurchase, lockPurchases, type StoredPurchase } from '../store/purchases.ts';
import type { Surface } from '../surface.ts';

/** Has those that were paid together granted together. */
export const enqueueGranting = async (
  send: Sender<Surface>,
  purchaseIds: readonly string[],
): Promise<void> => {
  if (purchaseIds.length > 0) await send.enqueue(billing.grantPurchases, { purchaseIds: [...purchaseIds] });
};

/** Has what changed of a purchase brought to everybody; one at a time for each purchase. */
export const enqueueSettling = async (send: Sender<Surface>, purchaseId: string): Promise<void> => {
  await send.enqueue(billing.settlePurchase, { purchaseId }, { partition: purchaseId });
};

export type Owned = StoredPurchase & { readonly accountId: string };

const isOwned = (purchase: StoredPurchase): purchase is Owned =>
  purchase.state === 'paid' && purchase.accountId !== null;

/** Those that are paid by an account and worth as much as they were bought for: of these the ledger needs only the block. */
export const plainOf = async (db: Db, purchases: Iterable<StoredPurchase>): Promise<Owned[]> => {
  const owned = [...purchases].filter(isOwned);
  const moved = await movedOf(
    db,
    owned.map(({ id }) => id),
  );
  return owned.filter((purchase) => {
    const money = moved.get(purchase.id);
    return money !== undefined && worthOf({ ...purchase, ...money }) === purchase.block;
  });
};

/** Has the money of a purchase returned whose credits were never granted; not if somebody has let it in meanwhile. */
export const giveBack = async (
  { db, messaging, now }: Pick<Deps, 'db' | 'messaging' | 'now'>,
  purchaseId: string,
  reason: string,
): Promise<void> => {
  const at = await now();
  await messaging.transaction(db, async (tx, send) => {
    const purchase = (await lockPurchases(tx, { ids: [purchaseId] })).get(purchaseId);
    if (!purchase || purchase.admittedAt !== null) return;
    await insertRequest(tx, { purchaseId, reason, state: 'taken' }, at);
    await enqueueSettling(send, purchaseId);
  });
};

type Needed = Pick<Deps, 'call' | 'db' | 'messaging' | 'now'>;

/** A stranger's waits to be accepted, unless nobody can: the account of its address is closed. */
const hold = async (deps: Needed, { id, email }: StoredPurchase, context: Context): Promise<void> => {
  const { isClosed } = await deps.call(identity.isAddressClosed, { email: email ?? '' }, context);
  if (isClosed) await giveBack(deps, id, 'The account is closed.');
};

/** The page was opened within the limit of new accounts; what else was paid meanwhile counts as well. */
const holdToLimit = async (
  deps: Needed,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  context: Context,
): Promise<void> => {
  const { spent } = await deps.call(creditsLedger.getSpending, { accountId }, context);
  const at = await deps.now();
  const isIn = await deps.messaging.transaction(deps.db, async (tx) => {
    await lockLimits(tx, [accountId]);
    if ((await admitFirst(tx, [id])).has(id)) return true;
    // One is this purchase itself.
    const standing = (await countStanding(tx, accountId)) - 1;
    if (!mayTakeIn({ standing, spent })) return false;
    await saveAdmitted(tx, id, accountId, at);
    return true;
  });
  if (!isIn) await giveBack(deps, id, 'It is above the limit of new accounts.');
};

/**
 * Lets a paid purchase into its account, holds it, or has its money returned. What the ledger has already was let in before our database
 * was put back. Resolves to the purchase as it is then.
 */
export const admitPurchase = async (
  deps: Needed,
  purchase: StoredPurchase,
  context: Context,
): Promise<StoredPurchase> => {
  const { id, accountId } = purchase;
  const { rows } = await deps.call(creditsLedger.lookUpGrants, { refs: [purchaseRef(id)] }, context);
  const moved = (await movedOf(deps.db, [id])).get(id);
  if (rows[0]) await saveAdmitted(deps.db, id, rows[0].accountId, await deps.now());
  else if (!moved || worthOf({ ...purchase, ...moved }) === 0) return purchase;
  else if (accountId === null) await hold(deps, purchase, context);
  else await holdToLimit(deps, { id, accountId }, context);
  return (await findPurchase(deps.db, id)) ?? purchase;
};

type NeededBringLedger = Pick<Deps, 'call' | 'db' | 'now'>;

const readWorth = async ({ db }: NeededBringLedger, purchase: Owned) => {
  const moved = (await movedOf(db, [purchase.id])).get(purchase.id);
  if (!moved) throw new Error(`the purchase ${purchase.id} is gone`);
  return {
    standing: worthOf({ ...purchase, ...moved }),
    reason: moved.hasDispute ? 'dispute' : 'refund',
  } as const;
};

const blockOf = ({ accountId, id }: Owned) => ({ accountId, ref: purchaseRef(id) });

/** False for a closed account. What it has paid and never had is given back. */
const grant = async (
  { call, db, now }: NeededBringLedger,
  purchase: Owned,
  context: Context,
): Promise<boolean> => {
  const block = { ...blockOf(purchase), amount: purchase.block };
  const { outcomes } = await call(creditsLedger.grantPurchases, { purchases: [block] }, context);
  if (outcomes[0] === 'granted') return true;
  if (outcomes[0] !== 'closed') throw new Error(`the ledger does not grant ${block.ref}: ${outcomes[0]}`);
  const asked = { purchaseId: purchase.id, reason: 'The account is closed.', state: 'taken' } as const;
  if (purchase.grantedAt === null) await insertRequest(db, asked, await now());
  return false;
};

/**
 * Brings the ledger to what a purchase is worth. The ledger is asked before our own rows are read: a refund takes its block back there
 * first and notes it here, so what is read in this order never makes up for a block that is being refunded.
 */
export const bringLedger = async (
  deps: NeededBringLedger,
  purchase: Owned,
  context: Context,
): Promise<void> => {
  const block = blockOf(purchase);
  const { rows } = await deps.call(creditsLedger.lookUpGrants, { refs: [block.ref] }, context);
  const { standing, reason } = await readWorth(deps, purchase);
  const found = rows[0]?.standing ?? 0;
  if (rows.length === 0 && (standing === 0 || !(await grant(deps, purchase, context)))) return;
  const stands = rows.length === 0 ? purchase.block : found;
  if (stands !== standing)
    await deps.call(creditsLedger.correctBlock, { ...block, standing, reason }, context);
};

type Sending = { readonly tx: Db; readonly send: Sender<Surface> };

/** Tells what the purchases of locked customers make of them, where that has changed. */
export const tellStandings = async (
  { tx, send }: Sending,
  customers: readonly { readonly accountId: string }[],
): Promise<void> => {
  const accountIds = [...new Set(customers.map(({ accountId }) => accountId))];
  for (const standing of await renewStandings(tx, accountIds))
    await send.emit(billing.customerChanged, standing);
};
