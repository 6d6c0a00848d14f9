import { type Refund, serviceError } from '@tds/contracts';
import type { RefundState } from './processor-statuses.ts';

type Asked = { readonly id: string; readonly state: 'asked' | 'taken' | 'submitted' | 'refused' };

/** How far a refund has come; until the processor has said something it is under way. */
export const refundOf = ({ id, state }: Asked, said: RefundState | undefined): Refund => ({
  id,
  status: state === 'refused' ? 'failed' : (said ?? 'pending'),
});

type Bought = { readonly state: string; readonly grantedAt: Date | null };
type MovedMoney = { readonly refunded: number; readonly disputed: number };

/** Throws why nothing of this purchase can be refunded, whatever the ledger says. */
export const refuseRefund = ({ state, grantedAt }: Bought, { refunded, disputed }: MovedMoney): void => {
  if (state === 'expired') throw serviceError('purchase_not_found');
  if (state !== 'paid' || grantedAt === null)
    throw serviceError('payment_purchase_pending', { retryAfterSeconds: 5 });
  if (refunded + disputed > 0) throw serviceError('payment_refund_conflict');
};

/** Throws what the ledger's answer to a block that should be taken back means for its owner. */
export const refuseBlock = (outcome: 'used' | 'in_debt' | 'unknown'): never => {
  if (outcome === 'used') throw serviceError('refund_block_used');
  if (outcome === 'in_debt') throw serviceError('payment_refund_debt_conflict');
  throw serviceError('payment_purchase_pending', { retryAfterSeconds: 60 });
};
