import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { balance } from './balance.ts';

export const balanceCommands = commands({
  /** Reads the balance; grants the month's free credits first if that has not happened yet. */
  getBalance: {
    request: z.object({ accountId: uuid }),
    reply: balance.extend({
      /** What the account owes: the next purchased credits pay it first. Free credits do not. */
      debt: z.number().int().nonnegative(),
      /** Where the customer buys credits. */
      buyUrl: z.string(),
    }),
  },
});
