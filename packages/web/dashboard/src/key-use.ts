import type { ApiKey, UsageDays } from '@transcript-delivery/sdk';

type UsageRow = UsageDays['rows'][number];
export type KeyUse = { readonly today: number; readonly month: number };

/** The first day of the month of a day. */
export const monthStart = (day: string): string => `${day.slice(0, 8)}01`;

/** Of all sessions together: each has a key of its own, which is not listed. */
export const DASHBOARD = { id: 'dashboard', name: 'The dashboard' };

type Row = Pick<UsageRow, 'date' | 'key_id' | 'via' | 'person_id' | 'credits_charged'>;

/** Work of a session had no key before. */
const keyOf = ({ key_id, via }: Row): string =>
  via === 'dashboard' || key_id === null ? DASHBOARD.id : key_id;

/** Credits that each key was charged on the day and in all rows, by its id; or each person, by theirs. */
export const sumCredits = (
  rows: readonly Row[],
  today: string,
  idOf: (row: Row) => string | null = keyOf,
): ReadonlyMap<string, KeyUse> => {
  const uses = new Map<string, KeyUse>();
  for (const row of rows) {
    const { date, credits_charged: charged } = row;
    const id = idOf(row);
    if (id === null) continue;
    const known = uses.get(id) ?? { today: 0, month: 0 };
    uses.set(id, { today: known.today + (date === today ? charged : 0), month: known.month + charged });
  }
  return uses;
};

type ListedKey = Pick<ApiKey, 'id' | 'replaced_by'>;

/** The key that has the place of a rotated one: both share their daily limits. */
export const currentKey = (id: string, keys: readonly ListedKey[]): string => {
  const successors = new Map(keys.map((key) => [key.id, key.replaced_by]));
  let current = id;
  for (let next = successors.get(current); next; next = successors.get(current)) current = next;
  return current;
};
