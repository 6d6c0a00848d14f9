import type { AttemptRecord } from '../types.ts';

type Measures = {
  counter(options: { name: string; help: string; labels: ['endpoint'] }): {
    inc(labels: { endpoint: string }, by?: number): void;
  };
};

const endpoints = ['browse', 'search', 'feed'] as const;
/** Pages that could not be read at all count as one entry. */
const UNREADABLE: ReadonlySet<string> = new Set(['unknown_layout', 'no_token', 'no_list', 'no_results_list']);

/** Returns an observer of attempts that counts what the platform sent and this version cannot read. */
export const countUnreadable = (measures: Measures): ((attempt: AttemptRecord) => void) => {
  const entries = measures.counter({
    name: 'tds_unreadable_entries_total',
    help: 'Entries of listings, searches and feeds that were left out because their layout is unknown',
    labels: ['endpoint'],
  });
  for (const endpoint of endpoints) entries.inc({ endpoint }, 0);
  return ({ endpoint, omitted, outcome }) => {
    const count = omitted + (UNREADABLE.has(outcome) ? 1 : 0);
    if (count > 0) entries.inc({ endpoint }, count);
  };
};
