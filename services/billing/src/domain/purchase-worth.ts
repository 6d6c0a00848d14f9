/** What money has moved of a purchase since it was paid. */
export type Moved = {
  readonly block: number;
  readonly amount: number;
  /** Money that the processor gives back, or has given back. */
  readonly refunded: number;
  /** Money that banks hold or keep. */
  readonly disputed: number;
  /** The block is taken back, and its money is to follow. */
  readonly isTakenBack: boolean;
};

/** Credits that stand of a purchase. A part of its money takes that part of its credits, and never less. */
export const worthOf = ({ block, amount, refunded, disputed, isTakenBack }: Moved): number => {
  if (isTakenBack) return 0;
  const gone = Math.min(refunded + disputed, amount);
  return block - Math.ceil((block * gone) / amount);
};

type Sold = { readonly accountId: string | null; readonly grantedAt: Date | null };

/** Whether the ledger has what a purchase is worth. What waits to be accepted is not to be there at all. */
export const isSettled = (purchase: Sold & Moved, standing: number): boolean =>
  purchase.accountId === null
    ? standing === 0
    : purchase.grantedAt !== null && worthOf(purchase) === standing;
