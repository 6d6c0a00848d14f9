import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { balance, ref } from './balance.ts';
import { hold } from './reservation-commands.ts';

/** So that what an account owes stays far below what its column holds. */
const amount = z.number().int().positive().max(1_000_000);

export const debtCommands = commands({
  /**
   * Charges for what was delivered without a reservation, or with one that is still open under this ref: free credits, then
   * purchased ones, and what is missing becomes debt, which the next purchased credits pay. Once per ref; `released` if the ref
   * was given back before: nothing is charged. Daily caps refuse nothing here.
   */
  chargeCredits: {
    request: hold.omit({ dailyCreditCap: true }).extend({ amount }),
    reply: z.object({ outcome: z.enum(['settled', 'released']), balance: balance.nullable() }),
    errors: ['account_frozen', 'account_closed', 'books_not_open'],
  },

  /**
   * Takes purchased credits back whose payment was disputed, once per ref and whatever the account's status; what is spent
   * already becomes debt.
   */
  disputeCredits: {
    request: z.object({ accountId: uuid, ref, amount }),
    reply: balance,
  },
});
