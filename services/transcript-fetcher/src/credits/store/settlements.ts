import type { Sql } from '@tds/base';
import { defineQueue } from '@tds/queue';
import type { Priority } from '../../domain/operation.ts';
import type { Database } from '../../store/database.ts';

/** The items of one reservation to charge or to release at the ledger. */
export type SettlementItem = {
  readonly ref: string;
  readonly priority: Priority;
  /** The job; null for a read. */
  readonly batch_id: string | null;
  readonly account_id: string;
  readonly key_id: string | null;
  readonly charge: readonly number[];
  readonly release: readonly number[];
};

type SettlementColumns = { readonly reservations: readonly SettlementItem[] };
export type Settlement = SettlementColumns & { readonly id: string };

/** Due ten seconds after it was saved: the process that saved it tries at once. A try that fails is repeated after its lease. */
export const settlementQueue = defineQueue<SettlementColumns, object>({
  table: 'settlements',
  reads: ['reservations'],
  leaseMs: [10_000, 20_000, 40_000, 60_000],
});

const DONE = `
  WITH done AS (DELETE FROM settlements WHERE id = $1 RETURNING reservations)
  UPDATE operations SET released = true WHERE id IN (
    SELECT (r ->> 'ref')::uuid FROM done, jsonb_array_elements(reservations) AS r
    WHERE r ->> 'priority' = 'reads' AND jsonb_array_length(r -> 'release') > 0)`;

/** Deletes a settlement, so that its failed reads may be answered. */
export const completeSettlement = async (sql: Sql, id: string): Promise<void> => {
  await sql(DONE, [id]);
};

/** Marks items that can no longer be charged. Returns how many had a charge. */
export const saveUncollected = async (db: Database, ref: string, items: readonly number[]): Promise<number> => {
  const where = { ref, item: { in: [...items] }, charge: { gt: 0 }, uncollected: false };
  return (await db.operation.updateMany({ where, data: { uncollected: true } })).count;
};

/** What is stored of a reservation, or of a row in it. */
export type Reservation = Pick<SettlementItem, 'ref' | 'priority' | 'batch_id' | 'account_id' | 'key_id'>;

/** The row of an item of a reservation; `charge` is null while it is open. */
export type RowOfItem = { readonly ref: string; readonly item: number; readonly charge: boolean | null };

const ROWS_OF = `
  SELECT ref, item, CASE WHEN ended_at IS NOT NULL THEN charge > 0 END AS charge
  FROM operations WHERE ref = ANY ($1::uuid[])`;

export const findRowsByRefs = (sql: Sql, refs: readonly string[]): Promise<RowOfItem[]> => sql(ROWS_OF, [refs]);

/** A charged row; `cursor` orders rows by their end. */
type ChargedRow = Reservation & { readonly item: number; readonly cursor: string };

const CHARGED = `
  SELECT ref, priority, batch_id, account_id, key_id, item, to_char(ended_at, 'YYYY-MM-DD"T"HH24:MI:SS.MSOF') || ' ' || id AS cursor
  FROM operations
  WHERE charge > 0 AND NOT uncollected AND ref IS NOT NULL
    AND ended_at BETWEEN now() - interval '8 days' AND now() - interval '1 minute'
    AND ($1::text IS NULL OR (ended_at, id) > (split_part($1, ' ', 1)::timestamptz, split_part($1, ' ', 2)::uuid))
  ORDER BY ended_at, id LIMIT $2`;

/** Rows after a cursor that were charged in the last eight days and should be settled by now. */
export const chargedRows = (sql: Sql, after: string | null, limit: number): Promise<ChargedRow[]> =>
  sql(CHARGED, [after, limit]);

const WAIVED = `
  SELECT ref, jsonb_agg(item) AS items FROM operations
  WHERE waived_at > now() - interval '8 days' AND charge = 0 AND ref IS NOT NULL AND state = 'delivered' GROUP BY ref LIMIT $1`;

/** Delivered rows whose charge was voided: not those whose charge another request has reported, and keeps. */
export const waivedRows = (sql: Sql, limit: number): Promise<{ ref: string; items: number[] }[]> =>
  sql(WAIVED, [limit]);
