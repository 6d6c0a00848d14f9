import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { type ServiceError, serviceError } from '../errors/service-error.ts';
import { uuid } from '../ids.ts';
import { secondsToNextUtcDay } from '../limits.ts';

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

/**
 * A ref names one operation for ever: repeating a call with the same ref changes nothing and answers the same. The caller that
 * reserves creates it with `newId`: the reservation is kept with the month of the time in it, and that month has to be open.
 */
export const ref = z.string().min(1).max(128);

const MOST_FACTS = 4;
const LONGEST_FACT = 256;
/**
 * What credits are for, in the words of the public API, such as `{ video_id, language }`: chosen by who reserves, shown in the
 * account's ledger, and never looked into by the ledger itself.
 */
export const subject = z
  .record(z.string().regex(/^[a-z_]{1,32}$/), z.string().max(LONGEST_FACT))
  .refine((facts) => Object.keys(facts).length <= MOST_FACTS);
export type Subject = z.infer<typeof subject>;

export type DailyCap = {
  readonly cap: number;
  /** What it leaves; below 0 where the cap was lowered below what its key has used. */
  readonly left: number;
  readonly required: number;
};

const inCredits = (count: number): string => (count === 1 ? '1 credit' : `${count} credits`);

/** The refusal of a key whose own daily cap leaves too little. */
export const dailyCapError = ({ cap, left, required }: DailyCap, now: Date): ServiceError =>
  serviceError('daily_credit_cap', {
    message: `This key may use ${inCredits(cap)} a day and has used ${cap - left} of them; this needs ${required}. More at 00:00 UTC.`,
    retryAfterSeconds: secondsToNextUtcDay(now),
  });

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
