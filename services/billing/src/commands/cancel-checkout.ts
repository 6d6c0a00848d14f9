import { billing } from '@tds/contracts';
import { onCommand } from '@tds/service-kit';
import { closePage } from '../application/close-page.ts';
import type { Deps } from '../deps.ts';
import { findPurchase } from '../store/purchases.ts';

/** Only a page that is open has been left by its buyer, who knows its id; nobody else does. */
export const cancelCheckout = onCommand(
  billing.cancelCheckout,
  async (deps: Pick<Deps, 'db' | 'processor' | 'now'>, { purchaseId }) => {
    const purchase = await findPurchase(deps.db, purchaseId);
    if (purchase?.state === 'open') return { isClosed: await closePage(deps, purchase) };
    return { isClosed: purchase?.state === 'expired' };
  },
);
