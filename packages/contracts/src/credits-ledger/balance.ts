import { type ServiceError, serviceError } from '@tds/errors';
import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { MAX_LOW_BALANCE_THRESHOLD, secondsToNextUtcDay } from '../limits.ts';

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

/** Credits that can be spent now, without reserved ones. */
export const availableCredits = (amounts: Pick<Balance, 'free' | 'purchased'>): number =>
  amounts.free + amounts.purchased;

/**
 * A ref names one operation for ever: a repeat with it changes nothing and gets the same answer. Callers that reserve
 * create it with `newId`, because the ledger stores reservations by the month of its time; that month must be open.
 */
export const ref = z.string().min(1).max(128);

const MAX_FACTS = 4;
const MAX_FACT_LENGTH = 256;
/**
 * The work that credits pay for, in public words such as `{ video_id, language }`: set by the caller that reserves and shown in the
 * account's ledger, which does not interpret it.
 */
export const subject = z
  .record(z.string().regex(/^[a-z_]{1,32}$/), z.string().max(MAX_FACT_LENGTH))
  .refine((facts) => Object.keys(facts).length <= MAX_FACTS);
export type Subject = z.infer<typeof subject>;

type DailyCap = {
  /** Null for the cap of a person, which holds for all their keys together. */
  readonly cap: number | null;
  /** Credits that it leaves; below 0 if the cap was lowered below the key's use. */
  readonly remaining: number;
  readonly required: number;
};

const inCredits = (count: number): string => (count === 1 ? '1 credit' : `${count} credits`);

/** The error for a key whose daily cap, or that of its person, leaves too little. */
export const dailyCapError = ({ cap, remaining, required }: DailyCap, now: Date): ServiceError => {
  const state =
    cap === null
      ? `The daily cap of this person, for all their keys together, leaves ${inCredits(Math.max(0, remaining))}`
      : `This key may use ${inCredits(cap)} a day and has used ${cap - remaining} of them`;
  return serviceError('daily_credit_cap', {
    message: `${state}; this needs ${required}. More at 00:00 UTC.`,
    retryAfterSeconds: secondsToNextUtcDay(now),
  });
};

const mailThreshold = z.number().int().min(1).max(MAX_LOW_BALANCE_THRESHOLD).nullable();

/** The most accounts of one look at refills. */
export const MAX_REFILLS = 500;

export const balanceCommands = commands({
  /** Returns the balance, after granting the month's free credits if that is due. */
  getBalance: {
    request: z.object({ accountId: uuid }),
    reply: balance.extend({
      /** Purchased credits pay it first; free credits do not. */
      debt: z.number().int().nonnegative(),
      /** Below it the holder is mailed; null: never. */
      mailThreshold,
      /** Where the customer buys credits. */
      buyUrl: z.string(),
    }),
  },

  /** From then on the holder is mailed when fewer credits are left, once until there are as many again. */
  setMailThreshold: {
    request: z.object({ accountId: uuid, threshold: mailThreshold }),
    reply: z.object({}),
    isIdempotent: true,
  },

  /** Returns, of the known accounts among these, the newest version of their refill that the ledger has heard of, and whether they are below its threshold. */
  lookUpRefills: {
    request: z.object({ accountIds: z.array(uuid).max(MAX_REFILLS) }),
    reply: z.object({
      rows: z.array(z.object({ accountId: uuid, version: z.number().int(), isLow: z.boolean() })),
    }),
  },
});
