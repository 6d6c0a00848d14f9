import { z } from 'zod';
import { defineContract } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { balance, balanceCommands, ref } from './balance.ts';
import { partsCommands } from './parts-commands.ts';
import { purchaseCommands } from './purchase-commands.ts';
import { reconcilingCommands } from './reconciling-commands.ts';
import { usageCommands } from './usage-commands.ts';

/** Balances, reservations, entries and usage. */
export const creditsLedger = defineContract('credits-ledger', {
  commands: {
    ...partsCommands,
    ...balanceCommands,
    ...purchaseCommands,
    ...reconcilingCommands,
    ...usageCommands,
  },
  tasks: {
    /** The grants of a day of outage, some hundred accounts at a time; a repeat grants those that the last attempt did not reach. */
    grantOutageCredits: {
      payload: z.object({ day: z.iso.date() }),
      leaseMs: 30_000,
      backoffMs: [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000],
      concurrency: 1,
      // A repeat goes on with the accounts that were not reached.
      timeLimitMs: 600_000,
    },
  },
  events: {
    creditsGranted: {
      payload: z.object({
        accountId: uuid,
        bucket: z.enum(['free', 'purchased']),
        amount: z.number().int().nonnegative(),
        ref,
      }),
    },

    /** An account has fallen below the threshold of its webhook: once, until it has reached it again. */
    balanceRanLow: {
      payload: z.object({
        accountId: uuid,
        available: z.number().int().nonnegative(),
        threshold: z.number().int().positive(),
        /** Of the balance. */
        version: z.number().int().nonnegative(),
      }),
    },
  },
  projections: {
    /** Balances as the ledger last committed them; a write with an older version is ignored. */
    balance: { keyParts: ['accountId'], value: balance, ttlSeconds: 3_600 },
  },
});
