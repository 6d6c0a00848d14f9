import type { Sql } from '@tds/base';
import { utcDay } from '@tds/contracts';
import { type Scope, scopeRefusal } from '../domain/cold-caps.ts';

const COUNT = 'SELECT full_scope AS "full" FROM count_cold(p_scopes => $1, p_day => $2, p_wanted => 1)';

/** Counts one of the day in all scopes; throws the refusal of the first that is full, and then counts in none. */
export const countQuestion = async (sql: Sql, scopes: readonly Scope[], now: Date): Promise<void> => {
  const counters = JSON.stringify(scopes.map(({ name, limit }) => ({ name, most: limit })));
  const [row] = await sql<{ full: string | null }>(COUNT, [counters, utcDay(now)]);
  if (row?.full) throw scopeRefusal(scopes, row.full, now);
};
