import type { ReactNode } from 'react';
import { ReadState } from './read-state.tsx';

/** Scrolls sideways, also by keyboard. */
export const Scroll = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls takes the focus
  <section className="scroller" tabIndex={0} aria-label={label}>
    {children}
  </section>
);

export type Column = {
  readonly name: string;
  readonly kind?: 'number' | 'actions';
  /** Left out on a phone. */
  readonly isWide?: boolean;
};

const cellClass = ({ kind, isWide }: Omit<Column, 'name'>): string =>
  [kind === 'number' && 'number', kind === 'actions' && 'cell-actions', isWide && 'wide']
    .filter(Boolean)
    .join(' ');

/** The names of its columns, for the cards of a phone. */
const namesOf = (columns: readonly Column[]) =>
  Object.fromEntries(columns.map(({ name }, index) => [`--column-${index + 1}`, JSON.stringify(name)]));

type ListProps = {
  readonly label: string;
  readonly columns: readonly Column[];
  readonly query: { readonly data: unknown; readonly error: unknown };
  readonly rows: readonly ReactNode[] | undefined;
  /** What a list without rows says: the next step. */
  readonly empty: ReactNode;
};

/** A list of the API as a table, with what is shown before, without, and instead of its rows. */
export const List = ({ label, columns, query, rows, empty }: ListProps) => {
  if (!rows) return <ReadState of={query} />;
  if (rows.length === 0) return <div className="soft empty">{empty}</div>;
  return (
    <Scroll label={label}>
      <table className="cards" style={namesOf(columns)}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col" key={column.name} className={cellClass(column)}>
                {column.kind === 'actions' ? <span className="hidden">{column.name}</span> : column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
    </Scroll>
  );
};

type PagerProps = {
  readonly page:
    | { readonly offset: number; readonly limit: number; readonly total: number; readonly has_more: boolean }
    | undefined;
  readonly onOffset: (offset: number) => void;
};

export const Pager = ({ page, onOffset }: PagerProps) => {
  if (!page || page.total <= page.limit) return null;
  const { offset, limit, total, has_more } = page;
  return (
    <nav className="row between pager" aria-label="Pages">
      <span className="soft">
        {offset + 1} to {Math.min(offset + limit, total)} of {total}
      </span>
      <span className="row">
        <button
          className="button small"
          type="button"
          disabled={offset === 0}
          onClick={() => onOffset(Math.max(0, offset - limit))}
        >
          Back
        </button>
        <button
          className="button small"
          type="button"
          disabled={!has_more}
          onClick={() => onOffset(offset + limit)}
        >
          Next
        </button>
      </span>
    </nav>
  );
};
