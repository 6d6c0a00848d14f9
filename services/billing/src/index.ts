import { defineService } from '@tds/kit';
import { cancelCheckout, listPrices, openCheckout, openPortal } from './commands/checkouts.ts';
import { acceptPurchase, listPurchases, requestRefund } from './commands/purchases.ts';
import { receivePaymentEvent } from './commands/receive-payment-event.ts';
import { createDeps } from './create-deps.ts';
import { accountStatusChanged } from './listeners.ts';
import {
  expireCheckouts,
  purgeOldRows,
  reconcileAllPurchases,
  reconcileEvents,
  reconcilePurchases,
  returnUnaccepted,
} from './schedules.ts';
import { surface } from './surface.ts';
import { grantPurchases, settleClosedAccount, settlePurchase } from './tasks.ts';

export const service = defineService({
  surface,
  createDeps,
  // Compares the prices before the first customer comes; the start does not wait for the answer.
  start: async ({ prices, log }) => {
    prices.check().catch((error: unknown) => log.error('the processor has other prices', { error }));
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
  subscriptions: { accountStatusChanged },
  tasks: { grantPurchases, settlePurchase, settleClosedAccount },
  schedules: {
    reconcileEvents,
    reconcilePurchases,
    reconcileAllPurchases,
    expireCheckouts,
    returnUnaccepted,
    purgeOldRows,
  },
});
