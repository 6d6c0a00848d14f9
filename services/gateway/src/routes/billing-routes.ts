import { billing, routes } from '@tds/contracts';
import { acceptPurchase } from './accept-purchase.ts';
import { toPurchaseBody } from './billing-bodies.ts';
import { callRoute } from './call-route.ts';
import { cancelCheckout } from './cancel-checkout.ts';
import { checkout } from './checkout.ts';
import { listPage } from './list-page.ts';
import { openPortal } from './open-portal.ts';

export const billingRoutes = {
  listPrices: callRoute(routes.listPrices, billing.listPrices, {
    request: () => ({}),
    body: (prices) => prices,
  }),

  checkout,

  cancelCheckout,

  receivePaymentEvent: callRoute(routes.receivePaymentEvent, billing.receivePaymentEvent, {
    request: ({ body }) => body,
    body: ({ isNews }) => ({ already_processed: !isNews }),
  }),

  openPortal,

  listPurchases: callRoute(routes.listPurchases, billing.listPurchases, {
    request: ({ principal: { accountId }, query }) => ({ accountId, ...query }),
    body: ({ purchases, total }, { query }) => ({
      purchases: purchases.map(toPurchaseBody),
      ...listPage(routes.listPurchases, query, { shown: purchases.length, total }),
    }),
  }),

  acceptPurchase,
};
