import { z } from 'zod';
import { commands, defineContract } from '../contract/define-contract.ts';
import { count, uuid } from '../ids.ts';
import { balance, balanceCommands, ref } from './balance.ts';
import { foundItems, itemsCommands, ledgerEpoch, MAX_REFS } from './items-commands.ts';
import { purchaseCommands } from './purchase-commands.ts';
import { requestCommands } from './request-commands.ts';
import { usageCommands } from './usage-commands.ts';

/** The last row of a page; its time as the ledger's database writes it, to the microsecond. */
const openReservation = z.object({ ref, createdAt: z.string().max(64) });
export type OpenReservation = z.infer<typeof openReservation>;

const reconcilingCommands = commands({
  /**
   * Lists reservations with a reason and an item that is held for longer than `olderThanMs`, oldest first: the service that
   * created them releases lost items. `after` is the last row of the page before.
   */
  listOpenReservations: {
    request: z.object({
      reason: z.string().max(64),
      olderThanMs: count,
      after: openReservation.nullable(),
      limit: z.number().int().min(1).max(MAX_REFS),
    }),
    reply: z.object({ rows: z.array(openReservation), ledgerEpoch }),
  },

  /**
   * Lists reservations with a reason, an age between the bounds and a charged item, by ref.
   * `after` is the last ref of the page before.
   */
  listChargedReservations: {
    request: z.object({
      reason: z.string().max(64),
      olderThanMs: count,
      youngerThanMs: z.number().int().positive(),
      after: ref.nullable(),
      limit: z.number().int().min(1).max(MAX_REFS),
    }),
    reply: z.object({ rows: z.array(foundItems), ledgerEpoch }),
  },
});

/** Balances, reservations, entries and usage. */
export const creditsLedger = defineContract('credits-ledger', {
  commands: {
    ...itemsCommands,
    ...balanceCommands,
    ...purchaseCommands,
    ...reconcilingCommands,
    ...usageCommands,
    ...requestCommands,
  },
  tasks: {
    /** Grants the credits of an outage day, some hundred accounts at a time; a repeat grants the remaining ones. */
    grantOutageCredits: {
      payload: z.object({ day: z.iso.date() }),
      leaseMs: 30_000,
      backoffMs: [1_000, 5_000, 15_000, 60_000, 300_000, 900_000, 3_600_000],
      concurrency: 1,
      timeLimitMs: 600_000,
    },
  },
  events: {
    creditsGranted: {
      payload: z.object({ accountId: uuid, bucket: z.enum(['free', 'purchased']), amount: count, ref }),
    },

    /** An account has fallen below the threshold of its webhook; emitted once until it reaches it again. */
    balanceRanLow: {
      payload: z.object({
        accountId: uuid,
        available: count,
        threshold: z.number().int().positive(),
        /** Of the balance. */
        version: count,
      }),
    },

    /** The same by the threshold at which the holder is mailed. */
    balanceRanLowForMail: { payload: z.object({ accountId: uuid, available: count, threshold: count }) },

    /** The same by the threshold at which the account is refilled. */
    balanceRanLowForRefill: { payload: z.object({ accountId: uuid, available: count, threshold: count }) },
  },
  projections: {
    /** Balances as the ledger last committed them; a write with an older version is ignored. */
    balance: { keyParts: ['accountId'], value: balance, ttlSeconds: 3_600 },
  },
});
