import { defineService } from '@tds/service-kit';
import { acceptPurchase } from './commands/accept-purchase.ts';
import { cancelCheckout } from './commands/cancel-checkout.ts';
import { listPrices } from './commands/list-prices.ts';
import { listPurchases } from './commands/list-purchases.ts';
import { openCheckout } from './commands/open-checkout.ts';
import { openPortal } from './commands/open-portal.ts';
import { receivePaymentEvent } from './commands/receive-payment-event.ts';
import { requestRefund } from './commands/request-refund.ts';
import { createDeps } from './create-deps.ts';
import { expireCheckouts } from './schedules/expire-checkouts.ts';
import { purgeOldRows } from './schedules/purge-old-rows.ts';
import { reconcileAllPurchases } from './schedules/reconcile-all-purchases.ts';
import { reconcileEvents } from './schedules/reconcile-events.ts';
import { reconcilePurchases } from './schedules/reconcile-purchases.ts';
import { returnUnaccepted } from './schedules/return-unaccepted.ts';
import { surface } from './surface.ts';
import { grantPurchases } from './tasks/grant-purchases.ts';
import { settlePurchase } from './tasks/settle-purchase.ts';

export const service = defineService({
  surface,
  createDeps,
  // Asked for early, so that a price that differs is known before the first customer; nobody waits for it.
  start: async ({ prices, log }) => {
    prices
      .check()
      .catch((error: unknown) => log.error('the prices are not those of the processor', { error }));
  },
  commands: {
    openCheckout,
    cancelCheckout,
    acceptPurchase,
    requestRefund,
    openPortal,
    listPrices,
    listPurchases,
    receivePaymentEvent,
  },
  tasks: { grantPurchases, settlePurchase },
  schedules: {
    reconcileEvents,
    reconcilePurchases,
    reconcileAllPurchases,
    expireCheckouts,
    returnUnaccepted,
    purgeOldRows,
  },
});
