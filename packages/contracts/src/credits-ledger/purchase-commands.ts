import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { ref } from './balance.ts';

export const MOST_BLOCKS = 500;
/** As many as one commit holds without keeping their accounts for long. */
export const MOST_GRANTS = 128;

const credits = z.number().int().nonnegative();
const block = { accountId: uuid, ref };

/** A purchase as the ledger has it. */
const foundBlock = z.object({
  ...block,
  amount: credits,
  /** What is not taken back. */
  standing: credits,
  /** What is not spent of that: purchased credits are spent in the order of purchase, those that were given before all. */
  left: credits,
});
export type FoundBlock = z.infer<typeof foundBlock>;

const grantOutcome = z.enum(['granted', 'closed', 'busy', 'conflict']);
export type GrantOutcome = z.infer<typeof grantOutcome>;

/** Where a page ended: the time as the ledger's database writes it, to the microsecond. */
const grantedBlock = z.object({ ...block, grantedAt: z.string().max(64) });
export type GrantedBlock = z.infer<typeof grantedBlock>;

export const purchaseCommands = commands({
  /**
   * Grants purchases as blocks of credits, each once per ref. Closed accounts get nothing; an account that another
   * transaction locks is busy; a ref of another account or amount is a conflict. Outcomes have the order of the purchases.
   */
  grantPurchases: {
    request: z.object({
      purchases: z
        .array(z.object({ ...block, amount: credits.positive().max(1_000_000) }))
        .min(1)
        .max(MOST_GRANTS),
    }),
    reply: z.object({ outcomes: z.array(grantOutcome) }),
  },

  /** Takes a whole block back, of which nothing is spent or held; once, and before its money is given back. */
  takeBackBlock: {
    request: z.object(block),
    reply: z.object({ outcome: z.enum(['taken', 'used', 'in_debt', 'unknown']) }),
  },

  /**
   * Brings a block to `standing` credits, whatever the account's status: what is taken and was spent already becomes debt, what is
   * given back pays debt first. It names a state and no change, so that repeating it changes nothing.
   */
  correctBlock: {
    request: z.object({ ...block, standing: credits, reason: z.enum(['refund', 'dispute']) }),
    reply: z.object({ outcome: z.enum(['corrected', 'unknown']) }),
  },

  /** Those of these blocks that the ledger has. */
  lookUpGrants: {
    request: z.object({ refs: z.array(ref).max(MOST_BLOCKS) }),
    reply: z.object({ rows: z.array(foundBlock) }),
  },

  /** Blocks whose age in milliseconds is between the two bounds, oldest first; `after` is the last row of the page before. */
  listGrants: {
    request: z.object({
      olderThanMs: credits,
      youngerThanMs: credits,
      after: grantedBlock.nullable(),
      limit: z.number().int().min(1).max(MOST_BLOCKS),
    }),
    reply: z.object({ rows: z.array(grantedBlock) }),
  },

  /** Credits that deliveries have cost the account, ever. */
  getSpending: {
    request: z.object({ accountId: uuid }),
    reply: z.object({ spent: credits }),
  },
});
