import {
  type creditsLedger,
  type LedgerEntry,
  type ReplyOf,
  routes,
  type usageLedgerBody,
  type usageRollupsBody,
} from '@tds/contracts';
import { csvTable } from '@tds/job-files';
import type { z } from 'zod';
import { listPage } from '../routes/list-page.ts';
import { type AnswerTo, answersOf } from '../routes/route-answer.ts';

const answers = answersOf(routes.getUsage);

export type UsageAnswer = AnswerTo<typeof routes.getUsage>;

type Rollups = z.input<typeof usageRollupsBody>;
type Page = z.input<typeof usageLedgerBody>;

export type Scope = Rollups['scope'];
export type Range = Rollups['range'];

const columns = [
  'date',
  'key_id',
  'requests',
  'cache_hits',
  'cold_deliveries',
  'job_rows',
  'search_pages',
  'failures',
  'credits_charged',
] as const satisfies readonly (keyof Rollups['rows'][number])[];

const toRollup = (row: ReplyOf<typeof creditsLedger.getUsage>['rows'][number]): Rollups['rows'][number] => ({
  date: row.day,
  key_id: row.keyId,
  requests: row.requests,
  cache_hits: row.cacheHits,
  cold_deliveries: row.coldDeliveries,
  job_rows: row.jobRows,
  search_pages: row.searchPages,
  failures: row.failures,
  credits_charged: row.creditsCharged,
});

export const rollupsAnswer = (
  format: 'json' | 'csv',
  { rows }: ReplyOf<typeof creditsLedger.getUsage>,
  scope: Scope,
  range: Range,
): UsageAnswer => {
  const rollups = rows.map(toRollup);
  if (format === 'json') return answers.json({ scope, range, rows: rollups });
  const name = `usage_${range.from}_${range.to}.csv`;
  const table = csvTable(
    columns,
    rollups.map((row) => columns.map((column) => row[column])),
  );
  return answers.composed('text/csv; charset=utf-8', table, {
    headers: { 'Content-Disposition': `attachment; filename="${name}"` },
  });
};

/** A hold that came back after the end of its free credits' month is a `release` that gave less back. */
const rowKinds = {
  monthly_grant: 'monthly_grant',
  grant: 'grant',
  settle: 'delivery',
  charge: 'delivery',
  refund: 'refund',
  release: 'expiry',
  debt_taken: 'debt',
  debt_paid: 'debt_payment',
  dispute: 'dispute',
  purchase_refund: 'purchase_refund',
} as const satisfies Record<LedgerEntry['kind'], Page['rows'][number]['kind']>;

const owned = ({ free, purchased, reserved }: LedgerEntry, at: 'before' | 'after'): number =>
  free[at] + purchased[at] + reserved[at];

const toLedgerRow = (entry: LedgerEntry): Page['rows'][number] => {
  const balance = { before: owned(entry, 'before'), after: owned(entry, 'after') };
  return {
    id: String(entry.version),
    created_at: entry.createdAt,
    kind: rowKinds[entry.kind],
    amount: balance.after - balance.before,
    balance,
    free: entry.free,
    purchased: entry.purchased,
    reserved: entry.reserved,
    reason: entry.reason,
    video_id: entry.subject?.video_id ?? null,
    language: entry.subject?.language ?? null,
    job_id: entry.jobId,
    rows: entry.jobId === null ? null : entry.parts,
    q: entry.subject?.q ?? null,
    type: entry.subject?.type ?? null,
    reference: entry.ref,
    key_id: entry.keyId,
    request_id: entry.requestId,
  };
};

type PageAsk = {
  readonly limit: number;
  readonly offset: number;
  readonly keyId: string | null;
  readonly jobId: string | null;
};

export const ledgerAnswer = (
  { rows, total, asOf, seal = null }: ReplyOf<typeof creditsLedger.getLedger>,
  { limit, offset, keyId, jobId }: PageAsk,
): UsageAnswer => {
  const query = { resource: 'ledger', key_id: keyId, job_id: jobId, limit, offset, as_of: asOf };
  return answers.json({
    rows: rows.map(toLedgerRow),
    ...listPage(routes.getUsage, query, { shown: rows.length, total }),
    as_of: asOf,
    seal,
  });
};
