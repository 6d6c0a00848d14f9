import { z } from 'zod';
import { uuid } from '../ids.ts';
import { command, event } from './define-messages.ts';

const owner = 'credits-ledger' as const;

const credits = z.number().int().nonnegative();

/** A balance as of one version; `version` grows with every entry of the account. */
export const balance = z.object({
  accountId: uuid,
  free: credits,
  purchased: credits,
  reserved: credits,
  version: z.number().int().nonnegative(),
  /** The UTC month (YYYY-MM) that the free credits belong to. */
  month: z.string().regex(/^\d{4}-\d{2}$/),
});
export type Balance = z.infer<typeof balance>;

/** What can be spent right now; reserved credits are not. */
export const availableCredits = (held: Pick<Balance, 'free' | 'purchased'>): number =>
  held.free + held.purchased;

/** A ref names one operation for ever: repeating a call with the same ref changes nothing and answers the same. */
export const ref = z.string().min(1).max(128);

const MOST_FACTS = 4;
/**
 * What credits are for, in the words of the public API, such as `{ video_id, language }`: chosen by who reserves, shown in the
 * account's ledger, and never looked into by the ledger itself.
 */
export const subject = z
  .record(z.string().regex(/^[a-z_]{1,32}$/), z.string().max(128))
  .refine((facts) => Object.keys(facts).length <= MOST_FACTS);
export type Subject = z.infer<typeof subject>;

/** How a reservation was resolved; `reserved` while it is not. */
const reservationOutcome = z.enum(['reserved', 'settled', 'released']);

/**
 * Holds credits for work that may or may not be delivered. Free credits first, then purchased. Under a ref that was
 * settled or released before - also by a release that came first - nothing is held, and `outcome` says so: such work
 * must not be delivered for this reservation.
 */
export const reserveCredits = command({
  owner,
  name: 'reserve-credits',
  request: z.object({
    accountId: uuid,
    ref,
    amount: z.number().int().positive(),
    keyId: uuid.nullable(),
    /** The key whose day this one shares: what all that share it have used counts towards the cap. */
    limitId: uuid.optional(),
    /** Credits that the key may use on one UTC day; what is released counts no more. Null or absent is no cap. */
    dailyCreditCap: z.number().int().positive().nullish(),
    requestId: z.string().max(128),
    reason: z.string().max(64),
    subject: subject.nullish(),
  }),
  reply: balance.extend({ outcome: reservationOutcome.default('reserved') }),
  errors: ['insufficient_credits', 'account_frozen', 'account_closed', 'daily_credit_cap'],
});

/** Turns a reservation into a charge, once. Answers the same when it was settled already. */
export const settleReservation = command({
  owner,
  name: 'settle-reservation',
  request: z.object({ ref }),
  reply: z.object({ outcome: z.enum(['settled', 'released', 'unknown']), balance: balance.nullable() }),
});

/** Gives a reservation back to the bucket and month it came from, once. */
export const releaseReservation = command({
  owner,
  name: 'release-reservation',
  request: z.object({ ref }),
  reply: z.object({ outcome: z.enum(['settled', 'released', 'unknown']), balance: balance.nullable() }),
});

/** Reads the balance; grants the month's free credits first where that has not happened yet. */
export const getBalance = command({
  owner,
  name: 'get-balance',
  request: z.object({ accountId: uuid }),
  reply: balance,
});

export const creditsGranted = event({
  owner,
  name: 'credits-granted',
  payload: z.object({
    accountId: uuid,
    bucket: z.enum(['free', 'purchased']),
    amount: credits,
    ref,
  }),
});
