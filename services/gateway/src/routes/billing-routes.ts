import { billing, type Purchase, type purchaseBody, routes } from '@tds/contracts';
import type { z } from 'zod';
import { callRoute } from './call-route.ts';
import { checkout } from './checkout.ts';
import { openPortal } from './open-portal.ts';

const toPurchaseBody = (purchase: Purchase): z.input<typeof purchaseBody> => ({
  id: purchase.id,
  block: purchase.block,
  amount: purchase.amount,
  currency: purchase.currency,
  status: purchase.status,
  credits_left: purchase.creditsLeft,
  refundable: purchase.isRefundable,
  refund: purchase.refund,
  receipt_url: purchase.receiptUrl,
  created_at: purchase.createdAt,
  paid_at: purchase.paidAt,
});

export const billingRoutes = {
  checkout,

  receivePaymentEvent: callRoute(routes.receivePaymentEvent, billing.receivePaymentEvent, {
    request: ({ body }) => body,
    body: ({ isNews }) => ({ already_processed: !isNews }),
  }),

  openPortal,

  listPurchases: callRoute(routes.listPurchases, billing.listPurchases, {
    request: ({ principal: { accountId }, query }) => ({ accountId, ...query }),
    body: ({ purchases, total }, { query }) => ({
      purchases: purchases.map(toPurchaseBody),
      ...query,
      total,
    }),
  }),
};
