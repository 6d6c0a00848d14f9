import type { billing, ReplyOf } from '@tds/contracts';

type Checkout = ReplyOf<typeof billing.openCheckout>;
type Purchase = ReplyOf<typeof billing.acceptPurchase>;

/** A page that was opened just now. */
export const newCheckout = (block: Checkout['block']): Checkout => ({
  checkoutUrl: 'https://pay.example/cs_1',
  purchaseId: '0199c3a0-0000-7000-8000-000000000001',
  expiresAt: '2026-01-15T12:30:00.000Z',
  ...{ block, amount: 900, currency: 'usd' },
  isReplayed: false,
});

/** What a stranger has paid, and its owner has accepted. */
export const newAccepted = (id: string): Purchase => ({
  ...{ id, block: 20, amount: 900, currency: 'usd', status: 'processing', boughtBy: 'stranger' },
  ...{ creditsLeft: 0, isRefundable: false, refund: null, receiptUrl: null },
  ...{ createdAt: '2026-01-15T12:00:00.000Z', paidAt: '2026-01-15T12:01:00.000Z' },
});
