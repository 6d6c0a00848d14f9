import { billing, creditsLedger, identity, serviceError } from '@tds/contracts';
import { type Context, onCommand } from '@tds/service-kit';
import { enqueueSettling } from '../application/enqueue-settling.ts';
import { showPurchases } from '../application/show-purchases.ts';
import type { Deps } from '../deps.ts';
import { refuseAcceptance } from '../domain/buying-rules.ts';
import { worthOf } from '../domain/purchase-worth.ts';
import { countStanding, lockLimits, saveAdmitted } from '../store/limited-purchases.ts';
import { movedOf } from '../store/moved-money.ts';
import { findVisible, lockPurchases } from '../store/purchases.ts';

type Accepting = { readonly accountId: string; readonly purchaseId: string };

/** Takes a waiting purchase into the account, under the same limit as one of its own: nobody comes around that by buying as a stranger. */
const accept = async (deps: Deps, { accountId, purchaseId }: Accepting, context: Context): Promise<void> => {
  const { spent } = await deps.call(creditsLedger.getSpending, { accountId }, context);
  const now = await deps.now();
  await deps.messaging.transaction(deps.db, async (tx, send) => {
    await lockLimits(tx, [accountId]);
    const purchase = (await lockPurchases(tx, { ids: [purchaseId] })).get(purchaseId);
    const moved = (await movedOf(tx, [purchaseId])).get(purchaseId);
    if (!purchase || !moved) throw serviceError('purchase_not_found');
    // Somebody was faster, who has the same account.
    if (purchase.accountId !== null) return;
    const account = { standing: await countStanding(tx, accountId), spent };
    refuseAcceptance(account, worthOf({ ...purchase, ...moved }));
    await saveAdmitted(tx, purchaseId, accountId, now);
    await enqueueSettling(send, purchaseId);
  });
};

export const acceptPurchase = onCommand(billing.acceptPurchase, async (deps: Deps, asked, context) => {
  const { accountId, purchaseId } = asked;
  const { email } = await deps.call(identity.getAccount, { accountId, keyId: null }, context);
  const owner = { accountId, email };
  const found = await findVisible(deps.db, owner, purchaseId);
  if (!found) throw serviceError('purchase_not_found');
  if (found.accountId === null) await accept(deps, asked, context);
  context.record.add({ purchaseId, isNews: found.accountId === null });
  const accepted = (await findVisible(deps.db, owner, purchaseId)) ?? found;
  const [shown] = await showPurchases(deps, [accepted], context);
  if (!shown) throw serviceError('purchase_not_found');
  return shown;
});
