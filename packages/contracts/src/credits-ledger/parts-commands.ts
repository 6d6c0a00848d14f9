import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { balance, ref, subject } from './balance.ts';

/** Parts of a reservation, numbered from 1. */
export const MAX_PARTS = 512;
/** Refs of one look-up. */
export const MAX_REFS = 500;

export const part = z.number().int().min(1).max(MAX_PARTS);
/** In the order of the request, or of their numbers. */
const parts = z
  .array(part)
  .max(MAX_PARTS)
  .refine((values) => new Set(values).size === values.length, 'each part once');
const someParts = parts.refine((values) => values.length > 0, 'at least one part');

/** Keeps an account's debt far below the range of its column. */
const unit = z.number().int().positive().max(1_000_000);

/** The holder of credits, and their purpose. */
export const hold = z.object({
  accountId: uuid,
  ref,
  keyId: uuid.nullable(),
  /** The key whose daily use this one shares: the cap holds for all keys that share it together. */
  limitId: uuid.optional(),
  /** Credits that the key may use on one UTC day; credits released no longer count. Null or absent means no cap. */
  dailyCreditCap: z.number().int().positive().nullish(),
  requestId: z.string().max(128),
  reason: z.string().max(64),
  subject: subject.nullish(),
  /** The job that this is a round of; lines of the account's ledger name it. */
  jobId: uuid.nullish(),
});

export const shortageCause = z.enum(['insufficient_credits', 'daily_credit_cap']);
export type ShortageCause = z.infer<typeof shortageCause>;

export const foundParts = z.object({
  ref,
  unit: z.number().int().nonnegative(),
  held: parts,
  charged: parts,
  refunded: parts,
  released: parts,
});
export type FoundParts = z.infer<typeof foundParts>;

/** Changes after the ledger's database was replaced or restored: comparisons must start over. */
export const ledgerEpoch = z.string().min(1).max(64);

export const partsCommands = commands({
  /**
   * Holds `unit` credits for each part, free credits first: as many parts as the credits cover, in the order of the list.
   * `coverage: 'all'` holds nothing if the credits do not cover all parts that the key's cap leaves. Once per ref: a repeat changes
   * nothing and returns the present state. Parts that were released, even by an earlier call, are not held.
   */
  reserveParts: {
    request: hold.extend({ unit, parts: someParts, coverage: z.enum(['all', 'some']) }),
    reply: balance.extend({
      /** The requested parts that are held or charged under this ref. Do not deliver others. */
      held: parts,
      /** Why a part that was not released is not held; null if all are. */
      why: shortageCause.nullable(),
      /** Credits that the key may use today after this call; null without a cap, below 0 if its cap was lowered below what it has used. */
      capLeft: z.number().int().nullable(),
      /** Where the customer buys credits. */
      buyUrl: z.string(),
    }),
    errors: ['account_frozen', 'account_closed', 'books_not_open'],
    isIdempotent: true,
  },

  /**
   * Charges parts, or returns them to their bucket and month; each once, in any order. A release under a ref without a
   * reservation is recorded, so that a later reserve does not hold those parts.
   */
  resolveParts: {
    request: z.object({ ref, charge: parts, release: parts }),
    reply: z.object({
      /** Of the named parts. */
      charged: parts,
      /** All parts that are still held under the ref. */
      held: parts,
      balance: balance.nullable(),
    }),
  },

  /**
   * Charges delivered parts even if the ledger has lost their reservation: held credits first, then free, then purchased ones; the
   * rest becomes debt, which the next purchased credits pay. Once per ref and part; parts that were released are not charged.
   * Ignores daily caps.
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
   * Refunds charged parts as purchased credits, once per ref and part. `closed`: the account is closed, and nothing is refunded;
   * `unknown`: this ref has no reservation.
   */
  refundParts: {
    request: z.object({ ref, parts: someParts }),
    reply: z.object({
      outcome: z.enum(['granted', 'closed', 'unknown']),
      /** The named parts that were refunded, now or before. */
      refunded: parts,
    }),
  },

  /** Returns the states of the parts of these refs; unknown refs are missing. */
  lookUpParts: {
    request: z.object({ refs: z.array(ref).max(MAX_REFS) }),
    reply: z.object({ rows: z.array(foundParts), ledgerEpoch }),
  },

  /** Sums the paid and held credits of a job over all its refs. Refunded parts are not paid. */
  lookUpJob: {
    request: z.object({ accountId: uuid, jobId: uuid }),
    reply: z.object({
      charged: parts,
      held: z.array(z.object({ ref, parts })),
      ledgerEpoch,
    }),
  },
});
