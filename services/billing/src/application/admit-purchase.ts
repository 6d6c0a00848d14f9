import { creditsLedger, identity, purchaseRef } from '@tds/contracts';
import type { Context } from '@tds/service-kit';
import type { Deps } from '../deps.ts';
import { mayTakeIn } from '../domain/buying-rules.ts';
import { worthOf } from '../domain/purchase-worth.ts';
import { admitFirst, countStanding, lockLimits, saveAdmitted } from '../store/limited-purchases.ts';
import { movedOf } from '../store/moved-money.ts';
import { findPurchase, type StoredPurchase } from '../store/purchases.ts';
import { giveBack } from './give-back.ts';

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
