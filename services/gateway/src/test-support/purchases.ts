import type { billing, ReplyOf } from '@tds/contracts';

type Checkout = ReplyOf<typeof billing.openCheckout>;
type Purchase = ReplyOf<typeof billing.acceptPurchase>['purchase'];

/** A page that was opened just now. */
export const newCheckout = (block: number): Checkout => ({
  checkout: {
    checkout_url: 'https://pay.example/cs_1',
    purchase_id: '0199c3a0-0000-7000-8000-000000000001',
    ...{ block, amount: 900, currency: 'usd' },
    expires_at: '2026-01-15T12:30:00.000Z',
  },
  isReplayed: false,
});

/** A stranger's purchase that its owner has accepted. */
export const newPurchase = (id: string): Purchase => ({
  ...{ id, block: 20, amount: 900, currency: 'usd', status: 'processing', bought_by: 'stranger' },
  ...{ automatic: false, credits_left: 0, refundable: false, refund: null, receipt_url: null },
  ...{ created_at: '2026-01-15T12:00:00.000Z', paid_at: '2026-01-15T12:01:00.000Z' },
});

/** Of an account that has never set one. */
export const newRefill = (): ReplyOf<typeof billing.getRefill>['refill'] => ({
  ...{ status: 'off', reason: null, threshold: null, block: null, amount: null, monthly_limit: null },
  ...{ used_this_month: 0, currency: 'usd', person_id: null },
});
