import type { BatchChange } from '@tds/contracts';
import { asCancelled, type Outcome, type RowChange, type RowState, releaseRow } from './outcomes.ts';

/** A saved row. */
export type SavedRow = RowState & { readonly status: string; readonly operationId: string | null };

type EndedRow = { readonly row: RowState; readonly outcome: Outcome };
type MatchedChanges = { readonly movedRows: readonly RowChange[]; readonly endedRows: readonly EndedRow[] };

/**
 * True if the change counts for the row. A delivery does, even of an attempt that this database lost in a restore, since it may be charged. All
 * others count for its present attempt only.
 */
const isNew = (row: SavedRow, change: BatchChange): boolean => {
  if (change.state !== 'delivered') return row.operationId === change.operationId;
  return row.status !== 'fetched' && (row.status !== 'cached' || change.charge > 0);
};

const move = (row: SavedRow, state: 'fetching' | 'cancelled', isOver: boolean): RowChange => {
  if (state === 'fetching') return { ...releaseRow(row), status: 'processing', operationId: row.operationId };
  return isOver ? asCancelled(releaseRow(row)) : releaseRow(row);
};

/** Applies changes to rows: `moved` within the fetcher, or `ended`. The last change of a row counts, a delivery before all others. */
export const matchChanges = (
  storedRows: readonly SavedRow[],
  changes: readonly BatchChange[],
  isOver: boolean,
): MatchedChanges => {
  const rows = new Map(storedRows.map((row) => [row.position, row]));
  const last = new Map<number, BatchChange>();
  for (const change of changes) {
    const row = rows.get(change.position);
    if (row && isNew(row, change) && last.get(change.position)?.state !== 'delivered')
      last.set(change.position, change);
  }
  const movedRows: RowChange[] = [];
  const endedRows: EndedRow[] = [];
  for (const [position, change] of last) {
    const row = rows.get(position) as SavedRow;
    if (change.state === 'delivered' || change.state === 'failed') endedRows.push({ row, outcome: change });
    else movedRows.push(move(row, change.state, isOver));
  }
  return { movedRows, endedRows };
};
