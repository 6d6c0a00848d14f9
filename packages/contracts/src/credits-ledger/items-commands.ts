import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { balance, ref, subject } from './balance.ts';

/** Items of a reservation, numbered from 1. */
const MAX_ITEMS = 512;
/** Refs of one look-up. */
export const MAX_REFS = 500;

export const item = z.number().int().min(1).max(MAX_ITEMS);
/** In the order of the request, or of their numbers. */
const items = z
  .array(item)
  .max(MAX_ITEMS)
  .refine((values) => new Set(values).size === values.length, 'each item once');
const someItems = items.refine((values) => values.length > 0, 'at least one item');

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
  /** The job that this is a reservation of; lines of the account's ledger name it. */
  jobId: uuid.nullish(),
});

const shortageCause = z.enum(['insufficient_credits', 'daily_credit_cap', 'person_credit_cap']);
export type ShortageCause = z.infer<typeof shortageCause>;

export const foundItems = z.object({
  ref,
  unit: z.number().int().nonnegative(),
  held: items,
  charged: items,
  refunded: items,
  released: items,
});
export type FoundItems = z.infer<typeof foundItems>;

/** Changes after the ledger's database was replaced or restored: comparisons must start over. */
export const ledgerEpoch = z.string().min(1).max(64);

export const itemsCommands = commands({
  /**
   * Holds `unit` credits for each item, free credits first: as many items as the credits cover, in the order of the list.
   * `coverage: 'all'` holds nothing if the credits do not cover all items that the key's cap leaves. Once per ref: a repeat changes
   * nothing and returns the present state. Items that were released, even by an earlier call, are not held.
   */
  reserveItems: {
    request: hold.extend({ unit, items: someItems, coverage: z.enum(['all', 'some']) }),
    reply: balance.extend({
      /** The requested items that are held or charged under this ref. Do not deliver others. */
      held: items,
      /** Why an item that was not released is not held; null if all are. */
      why: shortageCause.nullable(),
      /** Credits that the key or its person may use today after this call; null without a cap, below 0 if a cap was lowered below the use. */
      capLeft: z.number().int().nullable(),
      /** Where the customer buys credits. */
      buyUrl: z.string(),
    }),
    errors: ['account_frozen', 'account_closed', 'books_not_open'],
    isIdempotent: true,
  },

  /**
   * Charges items, or returns them to their bucket and month; each once, in any order. A release under a ref without a
   * reservation is recorded, so that a later reserve does not hold those items.
   */
  resolveItems: {
    request: z.object({ ref, charge: items, release: items }),
    reply: z.object({
      /** Of the named items. */
      charged: items,
      /** All items that are still held under the ref. */
      held: items,
      balance: balance.nullable(),
    }),
  },

  /**
   * Charges delivered items even if the ledger has lost their reservation: held credits first, then free, then purchased ones; the
   * rest becomes debt, which the next purchased credits pay. Once per ref and item; items that were released are not charged.
   * Ignores daily caps.
   */
  chargeItems: {
    request: hold.omit({ dailyCreditCap: true }).extend({ unit, items: someItems }),
    reply: z.object({
      /** Of the named items. */
      charged: items,
      balance,
    }),
    errors: ['account_frozen', 'account_closed', 'books_not_open'],
  },

  /**
   * Refunds charged items as purchased credits, once per ref and item. `closed`: the account is closed, and nothing is refunded;
   * `unknown`: this ref has no reservation.
   */
  refundItems: {
    request: z.object({ ref, items: someItems }),
    reply: z.object({
      outcome: z.enum(['granted', 'closed', 'unknown']),
      /** The named items that were refunded, now or before. */
      refunded: items,
    }),
  },

  /** Returns the states of the items of these refs; unknown refs are missing. */
  lookUpItems: {
    request: z.object({ refs: z.array(ref).max(MAX_REFS) }),
    reply: z.object({ rows: z.array(foundItems), ledgerEpoch }),
  },

  /** Sums the paid and held credits of a job over all its refs. Refunded items are not paid. */
  lookUpJob: {
    request: z.object({ accountId: uuid, jobId: uuid }),
    reply: z.object({
      charged: items,
      held: z.array(z.object({ ref, items })),
      ledgerEpoch,
    }),
  },
});
