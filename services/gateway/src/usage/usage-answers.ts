import {
  csvTable,
  type getLedger,
  type getUsage,
  type LedgerEntry,
  type ReplyOf,
  type usageLedgerBody,
  type usageRollupsBody,
} from '@tds/contracts';
import type { z } from 'zod';
import { type Answer, jsonAnswer } from '../http/answer.ts';

const OK = 200;

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
  'failures',
  'credits_charged',
] as const satisfies readonly (keyof Rollups['rows'][number])[];

const toRollup = (row: ReplyOf<typeof getUsage>['rows'][number]): Rollups['rows'][number] => ({
  date: row.day,
  key_id: row.keyId,
  requests: row.requests,
  cache_hits: row.cacheHits,
  cold_deliveries: row.coldDeliveries,
  failures: row.failures,
  credits_charged: row.creditsCharged,
});

export const rollupsAnswer = (
  format: 'json' | 'csv',
  { rows }: ReplyOf<typeof getUsage>,
  scope: Scope,
  range: Range,
): Answer => {
  const rollups = rows.map(toRollup);
  if (format === 'json') {
    return jsonAnswer(OK, { ok: true, scope, range, rows: rollups } satisfies Rollups);
  }
  const name = `usage_${range.from}_${range.to}.csv`;
  return {
    status: OK,
    contentType: 'text/csv; charset=utf-8',
    headers: ['Content-Disposition', `attachment; filename="${name}"`],
    body: csvTable(
      columns,
      rollups.map((row) => columns.map((column) => row[column])),
    ),
  };
};

const total = ({ free, purchased, reserved }: LedgerEntry, at: 'before' | 'after'): number =>
  free[at] + purchased[at] + reserved[at];

const toLedgerRow = (entry: LedgerEntry): Page['rows'][number] => ({
  id: String(entry.version),
  created_at: entry.createdAt,
  kind: entry.kind,
  amount: total(entry, 'after') - total(entry, 'before'),
  free: entry.free,
  purchased: entry.purchased,
  reserved: entry.reserved,
  reason: entry.reason,
  reference: entry.ref,
  key_id: entry.keyId,
  request_id: entry.requestId,
});

export const ledgerAnswer = (
  { rows, total: all, asOf }: ReplyOf<typeof getLedger>,
  { limit, offset }: { limit: number; offset: number },
): Answer => {
  const body: Page = {
    ok: true,
    rows: rows.map(toLedgerRow),
    ...{ limit, offset, total: all },
    has_more: offset + rows.length < all,
    as_of: asOf,
  };
  return jsonAnswer(OK, body);
};
