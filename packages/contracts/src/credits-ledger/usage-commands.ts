import { z } from 'zod';
import { commands } from '../contract/define-contract.ts';
import { count, madeBy, namedObject, pageOf, uuid } from '../ids.ts';
import { keyKind } from '../principal.ts';

/** A UTC day, YYYY-MM-DD. */
const day = z.iso.date();

export const MAX_USAGE_BATCH = 500;

/** Who caused a row. */
export const cause = {
  person_id: madeBy,
  via: keyKind
    .nullable()
    .default(null)
    .meta({ id: 'Via', description: 'By which kind of key; dashboard: by hand; null if unknown' }),
};
/** Only rows of this key, of this person, or by this kind of key. */
export const causeFilter = {
  keyId: uuid.nullable(),
  personId: uuid.nullish(),
  via: keyKind.nullish(),
};

/** The requests of one key on one day. `cacheHits` and `failures` are among the `requests`. */
const usageItem = z.object({
  accountId: uuid,
  keyId: uuid,
  day,
  requests: count,
  cacheHits: count,
  failures: count,
});
export type UsageItem = z.infer<typeof usageItem>;

/** Requests as gateways counted them, deliveries and credits as the ledger charged them. */
export const usageDay = namedObject('UsageDay', {
  date: z.iso.date(),
  key_id: uuid.nullable().describe('Null for work without a key'),
  requests: count,
  cache_hits: count,
  cold_deliveries: count.describe('Transcripts, single and in jobs'),
  job_rows: count.describe('The part of cold_deliveries that are videos of jobs'),
  search_pages: count,
  failures: count,
  credits_charged: count,
  ...cause,
});

const change = namedObject('BalanceChange', { before: count, after: count });

/** One line of an account's ledger: an immutable entry that changed what the account owns. */
export const ledgerEntry = namedObject('LedgerEntry', {
  id: z.string().describe('Number of the entry; holds also take numbers, so there are gaps'),
  created_at: z.iso.datetime(),
  kind: z
    .enum([
      'monthly_grant',
      'grant',
      'delivery',
      'refund',
      'expiry',
      'debt',
      'debt_payment',
      'dispute',
      'purchase_refund',
    ])
    .meta({ id: 'LedgerEntryKind' })
    .describe(
      'refund: credits for a delivery returned as purchased credits; expiry: free credits released after the end of their month; debt: credits lent for a charge or a dispute that the balance did not cover; debt_payment: purchased credits that repaid debt; dispute: the credits of a disputed purchase removed; purchase_refund: the credits of a refunded purchase removed',
    ),
  amount: z.number().int().describe('Change of the balance; a delivery is negative'),
  balance: change.describe('free plus purchased plus reserved; before equals after of the previous entry'),
  free: change,
  purchased: change,
  reserved: change.describe('Held for work in progress; a delivery is paid from here'),
  reason: z
    .string()
    .nullable()
    .describe(
      'What it was for. purchase: a block; refund_ended: its money was not returned after all; dispute_ended: the dispute was won; outage: a tenth of what deliveries cost on the day that reference ends with, because there was no way to fetch for four hours of it',
    ),
  video_id: z.string().nullable(),
  language: z.string().nullable().describe('The requested language'),
  job_id: uuid.nullable().describe('The job whose videos were charged or refunded'),
  rows: z.number().int().nullable().describe('Number of its videos that this entry is about'),
  q: z.string().nullable().describe('The query of a search'),
  type: z.string().nullable().describe('The kind of results of a search'),
  reference: z.string(),
  key_id: uuid.nullable(),
  request_id: z.string().nullable().describe('X-Request-Id of the request that started the work'),
  ...cause,
});
export type LedgerEntry = z.infer<typeof ledgerEntry>;

export const MAX_LEDGER_ROWS = 200;

export const usageCommands = commands({
  /** Adds the counts of a gateway; a repeat with the same id adds nothing. */
  recordUsage: {
    request: z.object({ id: uuid, items: z.array(usageItem).min(1).max(MAX_USAGE_BATCH) }),
    reply: z.object({ isNew: z.boolean() }),
  },

  /** Usage by day and key, oldest day first; days and keys without any have no row. */
  getUsage: {
    request: z.object({ accountId: uuid, ...causeFilter, from: day, to: day }),
    reply: z.object({
      rows: z.array(usageDay),
      /** Whether the ledger knows the requested key; true without one. */
      isKnownKey: z.boolean(),
    }),
    errors: ['usage_range_too_large'],
  },

  /** One day of an account, all keys together. */
  getDayUsage: {
    request: z.object({ accountId: uuid, day }),
    reply: z.object({
      requests: count,
      cacheHits: count,
      coldDeliveries: count,
      jobRows: count,
      searchPages: count,
      failures: count,
      creditsCharged: count,
    }),
    errors: ['usage_range_too_large'],
  },

  /**
   * Returns a page of lines, newest first. Pages count from the line `asOf`, by default the newest, so callers that repeat the first
   * page's `asOf` see no shift when lines are appended.
   */
  getLedger: {
    request: z.object({
      accountId: uuid,
      ...causeFilter,
      /** Only lines of this job. */
      jobId: uuid.nullable(),
      ...pageOf(MAX_LEDGER_ROWS),
      asOf: count.nullable(),
    }),
    reply: z.object({
      rows: z.array(ledgerEntry),
      asOf: count,
      /** Lines up to `asOf`, on all pages together. */
      total: count,
      /** The seal of line `asOf`: SHA-256 in hex, null until it is sealed. */
      seal: z.string().nullable(),
      isKnownKey: z.boolean(),
    }),
  },
});
