import { onlyRow, type Sql } from '@tds/base';
import type { StoredFormat } from '@tds/contracts';
import type { SettlementItem } from '../../credits/index.ts';
import type { Priority } from '../../domain/operation.ts';
import { type FetchResult, toEndRow } from '../../tracks/index.ts';

/** The end of a fetch; `reportTo` is the read whose own request waits here and reports the charge. */
export type End = FetchResult['end'] & { readonly reportTo: string | null };

/** A row that ended with the fetch. */
export type EndedRow = {
  readonly id: string;
  readonly priority: Priority;
  readonly batch_id: string | null;
  readonly format: StoredFormat;
  readonly charge: number;
  /** Null if it failed. */
  readonly transcript_id: string | null;
  readonly version: number;
  /** True if the row got `track` and `file`; false if the same track had been saved before. */
  readonly is_first: boolean | null;
  /** True if its batch has no open row any more; null for a read. */
  readonly is_over: boolean | null;
  /** True if the request of `reportTo` reports the charge. */
  readonly is_reported: boolean;
};

const END = 'SELECT ended, settlement FROM end_rows($1, $2)';

/** Saves the ends of fetches and of all rows that wait for them, with the settlement for the ledger, in one statement. */
export async function endRows(
  sql: Sql,
  ends: readonly End[],
  settlementId: string,
): Promise<{ readonly ended: readonly EndedRow[]; readonly settlement: readonly SettlementItem[] | null }> {
  const rows = ends.map((end, index) => ({ n: index + 1, ...toEndRow(end), reported_to: end.reportTo }));
  return onlyRow(await sql(END, [JSON.stringify(rows), settlementId]));
}
