export type RefundState = 'pending' | 'succeeded' | 'failed';
export type DisputeState = 'open' | 'won' | 'lost';

/** In the processor's words; what is not known yet is under way. */
export const refundState = (status: string | null): RefundState => {
  if (status === 'succeeded') return 'succeeded';
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending';
};

/** Null for an inquiry, which moves no money. */
export const disputeState = (status: string): DisputeState | null => {
  if (status.startsWith('warning_')) return null;
  // What a bank prevented from becoming a dispute was given back as a refund, which is told by itself.
  if (status === 'won' || status === 'prevented') return 'won';
  return status === 'lost' ? 'lost' : 'open';
};
