import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { uuid } from '../ids.ts';
import { subject } from './balance.ts';

const count = z.number().int().nonnegative();
/** A UTC day, YYYY-MM-DD. */
const day = z.iso.date();

export const LARGEST_USAGE_BATCH = 500;

/** The requests of one key on one day. `cacheHits` and `failures` are among the `requests`. */
export const usageItem = z.object({
  accountId: uuid,
  keyId: uuid,
  day,
  requests: count,
  cacheHits: count,
  failures: count,
});
export type UsageItem = z.infer<typeof usageItem>;

/** Requests as gateways counted them, deliveries and credits as the ledger charged them. */
const usageCounts = z.object({
  requests: count,
  cacheHits: count,
  /** Transcripts, read one by one and as rows of jobs. */
  coldDeliveries: count,
  /** Of them, rows of jobs. */
  jobRows: count,
  searchPages: count,
  failures: count,
  creditsCharged: count,
});
const keyUsage = usageCounts.extend({
  /** Null: work without a key. */
  keyId: uuid.nullable(),
});

const bucketChange = z.object({ before: count, after: count });

/**
 * One line of an account's ledger: an immutable entry that changed what the account owns. A delivery is a `settle`, or a `charge`
 * if it was not held. A `release` is a line only if held free credits lapsed with their month.
 */
export const ledgerEntry = z.object({
  /** The number of the entry; it has gaps, because holds have numbers but no lines. */
  version: z.number().int().positive(),
  createdAt: z.iso.datetime(),
  kind: z.enum([
    'monthly_grant',
    'grant',
    'settle',
    'charge',
    'refund',
    'release',
    'debt_taken',
    'debt_paid',
    'dispute',
    'purchase_refund',
  ]),
  free: bucketChange,
  purchased: bucketChange,
  reserved: bucketChange,
  reason: z.string().nullable(),
  ref: z.string(),
  keyId: uuid.nullable(),
  /** The request that the credits were reserved for. */
  requestId: z.string().nullable(),
  subject: subject.nullable(),
  /** How many parts it charges or gives back; null if it is not about parts. */
  parts: z.number().int().positive().nullable(),
  jobId: uuid.nullable(),
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

export const MOST_LEDGER_ROWS = 200;

export const usageCommands = commands({
  /** Adds the counts of a gateway; a repeat with the same id adds nothing. */
  recordUsage: {
    request: z.object({ id: uuid, items: z.array(usageItem).min(1).max(LARGEST_USAGE_BATCH) }),
    reply: z.object({ isNews: z.boolean() }),
  },

  /** Usage by day and key, oldest day first; days and keys without any have no row. */
  getUsage: {
    request: z.object({ accountId: uuid, keyId: uuid.nullable(), from: day, to: day }),
    reply: z.object({
      rows: z.array(keyUsage.extend({ day })),
      /** Whether the ledger knows the requested key; true without one. */
      isKnownKey: z.boolean(),
    }),
    errors: ['usage_range_too_large'],
  },

  /** One day of an account: all keys together, and each. */
  getDayUsage: {
    request: z.object({ accountId: uuid, day }),
    reply: usageCounts.extend({ byKey: z.array(keyUsage) }),
    errors: ['usage_range_too_large'],
  },

  /**
   * Returns a page of lines, newest first. Pages count from the line `asOf`, by default the newest, so callers that repeat the first
   * page's `asOf` see no shift when lines are appended.
   */
  getLedger: {
    request: z.object({
      accountId: uuid,
      /** Only lines that this key caused. */
      keyId: uuid.nullable(),
      /** Only lines of this job. */
      jobId: uuid.nullable(),
      limit: z.number().int().min(1).max(MOST_LEDGER_ROWS),
      offset: count,
      asOf: count.nullable(),
    }),
    reply: z.object({
      rows: z.array(ledgerEntry),
      asOf: count,
      /** Lines up to `asOf`, on all pages together. */
      total: count,
      /** The seal of line `asOf`: SHA-256 in hex, null until it is sealed. */
      seal: z.string().nullish(),
      isKnownKey: z.boolean(),
    }),
  },
});
