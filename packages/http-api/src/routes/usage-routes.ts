import { creditsLedger, identity, ledgerEntry, MAX_LEDGER_ROWS, usageDay, uuid } from '@tds/contracts';
import { z } from 'zod';
import { causeFields, count, optionalWholeNumber, pageBody, queryDay } from '../common-fields.ts';
import { defineRoutes, everyRole, field, okBody } from '../define-route.ts';

export const DEFAULT_LEDGER_ROWS = 100;

/** Decimal digits and nothing else: no sign, no leading zero, no exponent, no blank. */
const wholeNumber = z
  .string()
  .regex(/^(0|[1-9]\d{0,15})$/)
  .transform(Number)
  .pipe(count.max(Number.MAX_SAFE_INTEGER));
/** In the OpenAPI document it is an integer, although queries are text. */
const integer = { type: 'integer', pattern: undefined, minimum: 0 } as const;

export const usageRollupsBody = okBody('UsageRollups', {
  scope: z.object({ account_id: uuid, key_id: uuid.nullable() }),
  range: z.object({ from: z.iso.date(), to: z.iso.date() }).describe('UTC days, both included'),
  rows: z.array(usageDay),
});

export const usageLedgerBody = okBody('LedgerPage', {
  rows: z.array(ledgerEntry),
  ...pageBody,
  as_of: count.describe('Number of entries when this reading began'),
  seal: z
    .string()
    .nullable()
    .describe(
      'SHA-256 over all entries up to as_of; null for a minute or two. The seal of an as_of never changes',
    ),
});

export const usageRoutes = defineRoutes('Account', {
  getUsage: {
    method: 'GET',
    path: '/v1/usage',
    calls: [creditsLedger.getUsage, creditsLedger.getLedger, identity.listKeys],
    access: 'key-or-session',
    roles: everyRole,
    summary: 'Get usage by day and key, or the credit ledger',
    description:
      "Rollups come oldest day first; days and keys without use are left out. The ledger comes newest first, one entry per change of what the account owns; follow next, and new entries shift nothing. Costs 0 credits. At most 366 days and 4,000 entries. A request is every answer to a key that was let in, a failure one with an error; sessions do not count. Requests, hits and failures of other gateways are a second or two late, and the last second of a killed gateway is lost; deliveries, pages and credits are the ledger's: exact, at once, on the day of the charge. Parameters of the other mode are unknown_parameter. A ledger offset without as_of counts from now.",
    query: {
      resource: field(z.literal('ledger').optional(), 'unknown_query_mode', 'ledger; omit for rollups'),
      from: field(
        queryDay.optional(),
        'invalid_usage_date',
        'First UTC day of rollups; default 29 days before to',
      ),
      to: field(queryDay.optional(), 'invalid_usage_date', 'Last UTC day of rollups; default today'),
      key_id: field(uuid.optional(), 'key_not_found', 'Only of this key'),
      ...causeFields,
      job_id: field(uuid.optional(), 'job_not_found', 'Only entries of this job; ledger only'),
      format: field(
        z
          .string()
          .default('json')
          .meta({ enum: ['json', 'csv'] }),
        'invalid_usage_format',
        'csv is for rollups only',
      ),
      limit: field(
        optionalWholeNumber(1, MAX_LEDGER_ROWS, DEFAULT_LEDGER_ROWS),
        'invalid_ledger_limit',
        'Entries of a page, 1 to 200; ledger only',
      ),
      offset: field(
        wholeNumber.optional().meta({ ...integer, default: 0 }),
        'invalid_ledger_offset',
        'Entries to skip; ledger only',
      ),
      as_of: field(
        wholeNumber.optional().meta(integer),
        'invalid_ledger_offset',
        'as_of of the first page, to read more pages of the same reading; default: now; ledger only',
      ),
    },
    responses: {
      200: {
        description: 'Rollups as JSON or as a CSV attachment, or a page of the ledger',
        schema: z.union([usageRollupsBody, usageLedgerBody]),
        files: ['text/csv'],
        headers: ['Content-Disposition'],
      },
    },
    errors: ['invalid_usage_range', 'invalid_ledger_format'],
  },
});
