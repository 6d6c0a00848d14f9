import type { PurchaseStatus } from '@tds/contracts';
import type { Moved } from './purchase-worth.ts';

type Sold = {
  readonly state: 'opening' | 'open' | 'expired' | 'processing' | 'paid';
  readonly accountId: string | null;
  readonly grantedAt: Date | null;
  readonly expiresAt: Date;
};
type MovedMoney = Pick<Moved, 'refunded' | 'disputed' | 'isTakenBack'>;

/** Of a purchase that is paid: money that has moved comes first, then whether its credits are there. */
const ofPaid = ({ accountId, grantedAt }: Sold, moved: MovedMoney | undefined): PurchaseStatus => {
  if (moved && moved.disputed > 0) return 'disputed';
  if (moved && (moved.refunded > 0 || moved.isTakenBack)) return 'refunded';
  if (accountId === null) return 'waiting';
  return grantedAt === null ? 'processing' : 'paid';
};

/** What a customer is shown of a purchase. A page whose time is over is closed, also before the sweep has come by. */
export const statusOf = (purchase: Sold, moved: MovedMoney | undefined, now: Date): PurchaseStatus => {
  const { state, expiresAt } = purchase;
  if (state === 'paid') return ofPaid(purchase, moved);
  if (state === 'opening' || state === 'open') return expiresAt > now ? 'open' : 'expired';
  return state;
};

type Known = {
  readonly status: PurchaseStatus;
  readonly block: number;
  readonly creditsLeft: number;
  readonly hasRequest: boolean;
};

/** Whether a refund would be accepted now: of a block that is there, untouched, and for the first time. */
export const isRefundable = ({ status, block, creditsLeft, hasRequest }: Known): boolean =>
  status === 'paid' && creditsLeft === block && !hasRequest;
