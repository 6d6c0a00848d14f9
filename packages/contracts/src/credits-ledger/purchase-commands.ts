import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { ref } from './balance.ts';

export const MAX_BLOCKS = 500;
/** Few enough that one commit does not lock their accounts for long. */
export const MAX_GRANTS = 128;

const credits = z.number().int().nonnegative();
const block = { accountId: uuid, ref };

/** A purchase as the ledger has it. */
const foundBlock = z.object({
  ...block,
  amount: credits,
  /** Credits that are not taken back. */
  net: credits,
  /** Credits of it that are not spent: given credits are spent first, then blocks in the order of purchase. */
  left: credits,
  /** Its account is closed for good. */
  isClosed: z.boolean(),
});
export type FoundBlock = z.infer<typeof foundBlock>;

const grantOutcome = z.enum(['granted', 'closed', 'busy', 'conflict']);
export type GrantOutcome = z.infer<typeof grantOutcome>;

/** The last row of a page; its time as the ledger's database writes it, to the microsecond. */
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
        .max(MAX_GRANTS),
    }),
    reply: z.object({ outcomes: z.array(grantOutcome) }),
  },

  /** Takes an untouched block back, once, before its money is refunded. */
  takeBackBlock: {
    request: z.object(block),
    reply: z.object({ outcome: z.enum(['taken', 'used', 'in_debt', 'unknown']) }),
  },

  /**
   * Brings a block to `net` credits, in any account status: taken credits that were spent become debt; returned ones pay debt
   * first. It names a state, not a change, so a repeat changes nothing.
   */
  correctBlock: {
    request: z.object({ ...block, net: credits, reason: z.enum(['refund', 'dispute']) }),
    reply: z.object({ outcome: z.enum(['corrected', 'unknown']) }),
  },

  /** Returns the known blocks among these. */
  lookUpGrants: {
    request: z.object({ refs: z.array(ref).max(MAX_BLOCKS) }),
    reply: z.object({ rows: z.array(foundBlock) }),
  },

  /** Blocks whose age in milliseconds is between the two bounds, oldest first; `after` is the last row of the page before. */
  listGrants: {
    request: z.object({
      olderThanMs: credits,
      youngerThanMs: credits,
      after: grantedBlock.nullable(),
      limit: z.number().int().min(1).max(MAX_BLOCKS),
    }),
    reply: z.object({ rows: z.array(grantedBlock) }),
  },

  /** Credits that deliveries have cost the account, ever. */
  getSpending: {
    request: z.object({ accountId: uuid }),
    reply: z.object({ spent: credits }),
  },
});
