import { defineService } from '@tds/service-kit';
import { cancelCheckout, listPrices, openCheckout, openPortal } from './commands/checkouts.ts';
import { acceptPurchase, listPurchases, requestRefund } from './commands/purchases.ts';
import { receivePaymentEvent } from './commands/receive-payment-event.ts';
import { createDeps } from './create-deps.ts';
import {
  expireCheckouts,
  purgeOldRows,
  reconcileAllPurchases,
  reconcileEvents,
  reconcilePurchases,
  returnUnaccepted,
} from './schedules.ts';
import { surface } from './surface.ts';
import { grantPurchases, settlePurchase } from './tasks.ts';

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
