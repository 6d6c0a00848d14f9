import { creditsLedger } from '@tds/contracts';
import { fakeOf } from '@tds/service-kit/testing';

type Block = {
  accountId: string;
  ref: string;
  amount: number;
  standing: number;
  left: number;
  grantedAt: string;
};

/** The ledger's blocks in memory: each stands for itself, and is touched by `spend`. */
export const fakeLedger = () => {
  const blocks = new Map<string, Block>();
  const closed = new Set<string>();
  const spending = new Map<string, number>();
  const grants: string[] = [];
  const outcomeOf = (block: Block | undefined): 'taken' | 'used' | 'unknown' => {
    if (!block) return 'unknown';
    return block.standing === 0 || block.left === block.amount ? 'taken' : 'used';
  };
  const fake = fakeOf(creditsLedger, {
    grantPurchase: async ({ accountId, ref, amount }) => {
      if (closed.has(accountId)) return { outcome: 'closed', balance: null };
      const grantedAt = new Date().toISOString();
      if (!blocks.has(ref)) {
        blocks.set(ref, { accountId, ref, amount, standing: amount, left: amount, grantedAt });
        grants.push(ref);
      }
      return { outcome: 'granted', balance: null };
    },
    takeBackBlock: async ({ ref }) => {
      const block = blocks.get(ref);
      const outcome = outcomeOf(block);
      if (block && outcome === 'taken') Object.assign(block, { standing: 0, left: 0 });
      return { outcome };
    },
    correctBlock: async ({ ref, standing }) => {
      const block = blocks.get(ref);
      if (!block) return { outcome: 'unknown' };
      block.left += standing - block.standing;
      block.standing = standing;
      return { outcome: 'corrected' };
    },
    lookUpGrants: async ({ refs }) => ({
      rows: refs.flatMap((ref) => {
        const block = blocks.get(ref);
        if (!block) return [];
        const { accountId, amount, standing, left } = block;
        return [{ accountId, ref, amount, standing, left: Math.max(left, 0) }];
      }),
    }),
    listGrants: async ({ after }) => ({
      rows: [...blocks.values()]
        .filter(({ ref }) => after === null || ref > after.ref)
        .toSorted((one, other) => (one.ref < other.ref ? -1 : 1))
        .map(({ accountId, ref, grantedAt }) => ({ accountId, ref, grantedAt })),
    }),
    getSpending: async ({ accountId }) => ({ spent: spending.get(accountId) ?? 0 }),
  });
  return {
    ...fake,
    blocks,
    closed,
    spending,
    /** Refs of what was granted, in turn. */
    grants,
    spend: (ref: string, credits: number): void => {
      const block = blocks.get(ref);
      if (block) block.left -= credits;
    },
  };
};
