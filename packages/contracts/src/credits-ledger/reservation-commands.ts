import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { balance, ref, subject } from './balance.ts';

/** How a reservation was resolved; `reserved` while it is not. */
export const reservationOutcome = z.enum(['reserved', 'settled', 'released']);

/** Why nothing is held. */
export const refusals = [
  'insufficient_credits',
  'account_frozen',
  'account_closed',
  'daily_credit_cap',
  'books_not_open',
] as const;

/** Who holds credits, and what for. */
export const hold = z.object({
  accountId: uuid,
  ref,
  keyId: uuid.nullable(),
  /** The key whose day this one shares: the cap holds for what all keys of that day have used together. */
  limitId: uuid.optional(),
  /** Credits that the key may use on one UTC day; released credits no longer count. Null or absent means no cap. */
  dailyCreditCap: z.number().int().positive().nullish(),
  requestId: z.string().max(128),
  reason: z.string().max(64),
  subject: subject.nullish(),
});

export const reservationCommands = commands({
  /**
   * Holds credits for work that may or may not be delivered. Free credits first, then purchased. Under a ref that was
   * settled or released before - also by a release that came first - nothing is held, and `outcome` says so: such work
   * must not be delivered for this reservation.
   */
  reserveCredits: {
    request: hold.extend({ amount: z.number().int().positive() }),
    reply: balance.extend({ outcome: reservationOutcome.default('reserved') }),
    errors: refusals,
  },

  /** Turns what is held into a charge, once. Answers the same when it was settled already. */
  settleReservation: {
    request: z.object({ ref }),
    reply: z.object({ outcome: z.enum(['settled', 'released', 'unknown']), balance: balance.nullable() }),
  },

  /** Gives a reservation back to the bucket and month it came from, once. */
  releaseReservation: {
    request: z.object({ ref }),
    reply: z.object({ outcome: z.enum(['settled', 'released', 'unknown']), balance: balance.nullable() }),
  },

  /** Reads the balance; grants the month's free credits first if that has not happened yet. */
  getBalance: {
    request: z.object({ accountId: uuid }),
    reply: balance.extend({
      /** What the account owes: the next purchased credits pay it first. Free credits do not. */
      debt: z.number().int().nonnegative().default(0),
    }),
  },
});
