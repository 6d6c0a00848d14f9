import type { RowNews } from '@tds/contracts';
import { asCancelled, type Outcome, type RowChange, type RowInHand, setFree } from './outcomes.ts';

/** A row as it was saved last. */
export type KnownRow = RowInHand & { readonly status: string; readonly operationId: string | null };

type Ended = { readonly row: RowInHand; readonly outcome: Outcome };
type Matched = { readonly moved: readonly RowChange[]; readonly ended: readonly Ended[] };

/**
 * Whether these news say something new of the row. A delivery does also if its attempt is forgotten here, after a restore: what was
 * charged is shown. Everything else is of the row's present attempt, or of the past.
 */
const isNew = (row: KnownRow, news: RowNews): boolean => {
  if (news.state !== 'delivered') return row.operationId === news.operationId;
  return row.status !== 'fetched' && (row.status !== 'cached' || news.charge > 0);
};

const move = (row: KnownRow, state: 'fetching' | 'cancelled', isOver: boolean): RowChange => {
  if (state === 'fetching') return { ...setFree(row), status: 'processing', operationId: row.operationId };
  return isOver ? asCancelled(setFree(row)) : setFree(row);
};

/** What rows were moved by news of a line, and which have ended: the last of each counts, a delivery before all others. */
export const matchNews = (known: readonly KnownRow[], news: readonly RowNews[], isOver: boolean): Matched => {
  const rows = new Map(known.map((row) => [row.position, row]));
  const last = new Map<number, RowNews>();
  for (const each of news) {
    const row = rows.get(each.position);
    if (row && isNew(row, each) && last.get(each.position)?.state !== 'delivered')
      last.set(each.position, each);
  }
  const moved: RowChange[] = [];
  const ended: Ended[] = [];
  for (const [position, each] of last) {
    const row = rows.get(position) as KnownRow;
    if (each.state === 'delivered' || each.state === 'failed') ended.push({ row, outcome: each });
    else moved.push(move(row, each.state, isOver));
  }
  return { moved, ended };
};
