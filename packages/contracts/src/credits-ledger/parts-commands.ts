import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { balance, ref, subject } from './balance.ts';

/** As many parts as a reservation may have; they are numbered from 1. */
export const MOST_PARTS = 512;
/** As many refs as are looked up at once. */
export const MOST_REFS = 500;

export const part = z.number().int().min(1).max(MOST_PARTS);
/** In the order in which they are wished for, or in that of their numbers. */
const parts = z
  .array(part)
  .max(MOST_PARTS)
  .refine((given) => new Set(given).size === given.length, 'each part once');
const someParts = parts.refine((given) => given.length > 0, 'at least one part');

/** So that what an account owes stays far below what its column holds. */
const unit = z.number().int().positive().max(1_000_000);

/** Who holds credits, and what for. */
export const hold = z.object({
  accountId: uuid,
  ref,
  keyId: uuid.nullable(),
  /** The key whose day this one shares: the cap holds for what all keys of that day have used together. */
  limitId: uuid.optional(),
  /** Credits that the key may use on one UTC day; credits given back no longer count. Null or absent means no cap. */
  dailyCreditCap: z.number().int().positive().nullish(),
  requestId: z.string().max(128),
  reason: z.string().max(64),
  subject: subject.nullish(),
  /** The job that this is a round of; lines of the account's ledger name it. */
  jobId: uuid.nullish(),
});

export const lacking = z.enum(['insufficient_credits', 'daily_credit_cap']);
export type Lacking = z.infer<typeof lacking>;

export const foundParts = z.object({
  ref,
  unit: z.number().int().nonnegative(),
  held: parts,
  charged: parts,
  refunded: parts,
  givenBack: parts,
});
export type FoundParts = z.infer<typeof foundParts>;

/** Changes when another database, or another past of it, has taken the place of the ledger's: what was compared is to be compared anew. */
export const ledgerEpoch = z.string().min(1).max(64);

export const partsCommands = commands({
  /**
   * Holds credits for parts of a work that may or may not be delivered, `unit` for each, free credits first: as many as fit, in the
   * order of the list. A single piece of work is a list of one. `coverage: 'all'` holds nothing if the credits do not cover all that
   * the key's cap leaves. Once per ref: asked again it changes nothing and answers what is so now. Parts that were given back - also
   * by a call that came first - are not held.
   */
  reserveParts: {
    request: hold.extend({ unit, parts: someParts, coverage: z.enum(['all', 'some']) }),
    reply: balance.extend({
      /** Of these parts, those that are held or charged under this ref. Others must not be delivered for it. */
      held: parts,
      /** What was short for the parts that are not given back; null if there was enough. */
      why: lacking.nullable(),
      /** Credits that the key may use today after this call; null without a cap, below 0 if its cap was lowered below what it has used. */
      capLeft: z.number().int().nullable(),
      /** Where the customer buys credits. */
      buyUrl: z.string(),
    }),
    errors: ['account_frozen', 'account_closed', 'books_not_open'],
  },

  /**
   * Charges parts, and gives parts back to the bucket and month they came from; each once for ever, in either order. A part that is
   * given back under a ref without a reservation is remembered.
   */
  resolveParts: {
    request: z.object({ ref, charge: parts, giveBack: parts }),
    reply: z.object({
      /** Of the named parts. */
      charged: parts,
      /** All that are still held under the ref. */
      held: parts,
      balance: balance.nullable(),
    }),
  },

  /**
   * Charges parts that were delivered, whatever the ledger has of their reservation: what is held is charged, and for the rest free
   * credits, then purchased ones, and what is missing becomes debt, which the next purchased credits pay. Once per ref and part;
   * parts that were given back are not charged. Daily caps refuse nothing here.
   */
  chargeParts: {
    request: hold.omit({ dailyCreditCap: true }).extend({ unit, parts: someParts }),
    reply: z.object({
      /** Of the named parts. */
      charged: parts,
      balance,
    }),
    errors: ['account_frozen', 'account_closed', 'books_not_open'],
  },

  /**
   * Gives back what parts were charged, once per ref and part, as purchased credits. `closed` if the account is: then nothing is
   * given; `unknown` if this ref has no reservation.
   */
  refundParts: {
    request: z.object({ ref, parts: someParts }),
    reply: z.object({
      outcome: z.enum(['granted', 'closed', 'unknown']),
      /** Of the named parts, those whose charge was given back, now or before. */
      refunded: parts,
    }),
  },

  /** What became of the parts of these refs; refs that the ledger does not know are left out. */
  lookUpParts: {
    request: z.object({ refs: z.array(ref).max(MOST_REFS) }),
    reply: z.object({ rows: z.array(foundParts), ledgerEpoch }),
  },

  /** What of a job is paid, and what is held for it, over all refs that name it. Refunded parts are not paid. */
  lookUpJob: {
    request: z.object({ accountId: uuid, jobId: uuid }),
    reply: z.object({
      charged: parts,
      held: z.array(z.object({ ref, parts })),
      ledgerEpoch,
    }),
  },
});
