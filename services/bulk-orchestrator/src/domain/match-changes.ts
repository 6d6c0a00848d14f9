import type { BatchChange } from '@tds/contracts';
import { asCancelled, type Outcome, type RowChange, type RowInHand, setFree } from './outcomes.ts';

/** A saved row. */
export type KnownRow = RowInHand & { readonly status: string; readonly operationId: string | null };

type EndedRow = { readonly row: RowInHand; readonly outcome: Outcome };
type Matched = { readonly moved: readonly RowChange[]; readonly ended: readonly EndedRow[] };

/**
 * True if the change counts for the row. A delivery does, even of an attempt that this database lost in a restore, since it may be charged. All
 * others count for its present attempt only.
 */
const isNew = (row: KnownRow, change: BatchChange): boolean => {
  if (change.state !== 'delivered') return row.operationId === change.operationId;
  return row.status !== 'fetched' && (row.status !== 'cached' || change.charge > 0);
};

const move = (row: KnownRow, state: 'fetching' | 'cancelled', isOver: boolean): RowChange => {
  if (state === 'fetching') return { ...setFree(row), status: 'processing', operationId: row.operationId };
  return isOver ? asCancelled(setFree(row)) : setFree(row);
};

/** Applies changes to rows: `moved` within the fetcher, or `ended`. The last change of a row counts, a delivery before all others. */
export const matchChanges = (
  known: readonly KnownRow[],
  changes: readonly BatchChange[],
  isOver: boolean,
): Matched => {
  const rows = new Map(known.map((row) => [row.position, row]));
  const last = new Map<number, BatchChange>();
  for (const each of changes) {
    const row = rows.get(each.position);
    if (row && isNew(row, each) && last.get(each.position)?.state !== 'delivered')
      last.set(each.position, each);
  }
  const moved: RowChange[] = [];
  const ended: EndedRow[] = [];
  for (const [position, each] of last) {
    const row = rows.get(position) as KnownRow;
    if (each.state === 'delivered' || each.state === 'failed') ended.push({ row, outcome: each });
    else moved.push(move(row, each.state, isOver));
  }
  return { moved, ended };
};
