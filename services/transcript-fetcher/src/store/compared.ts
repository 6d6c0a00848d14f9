import type { Sql } from '@tds/service-kit';
import type { DueRound } from './dues.ts';

type Round = Pick<DueRound, 'ref' | 'lane' | 'line_id' | 'account_id' | 'key_id'>;

/** A row that has a part of a reservation, and what it means for that part; null while it is open. */
export type RowOfPart = { readonly ref: string; readonly part: number; readonly charge: boolean | null };

const ROWS_OF = {
  name: 'rows-of-refs',
  text: `
    SELECT ref, part, CASE WHEN ended_at IS NOT NULL THEN charge > 0 END AS charge
    FROM operations WHERE ref = ANY ($1::uuid[])`,
};

export const rowsOfRefs = (sql: Sql, refs: readonly string[]): Promise<RowOfPart[]> => sql(ROWS_OF, [refs]);

/** A charged row, in the order in which they ended. */
export type ChargedRow = Round & { readonly part: number; readonly place: string };

const CHARGED = {
  name: 'charged-rows',
  text: `
    SELECT ref, lane, line_id, account_id, key_id, part, to_char(ended_at, 'YYYY-MM-DD"T"HH24:MI:SS.MSOF') || ' ' || id AS place
    FROM operations
    WHERE charge > 0 AND NOT uncollected AND ref IS NOT NULL
      AND ended_at BETWEEN now() - interval '8 days' AND now() - interval '1 minute'
      AND ($1::text IS NULL OR (ended_at, id) > (split_part($1, ' ', 1)::timestamptz, split_part($1, ' ', 2)::uuid))
    ORDER BY ended_at, id LIMIT $2`,
};

/** What was charged in the last eight days and is told to the ledger by now, after a place. */
export const chargedRows = (sql: Sql, after: string | null, limit: number): Promise<ChargedRow[]> =>
  sql(CHARGED, [after, limit]);

const DISOWNED = {
  name: 'disowned-rows',
  text: `
    SELECT ref, jsonb_agg(part) AS parts FROM operations
    WHERE disowned_at > now() - interval '8 days' AND ref IS NOT NULL AND state = 'delivered' GROUP BY ref LIMIT $1`,
};

/** Delivered rows whose charge is void. */
export const disownedRows = (sql: Sql, limit: number): Promise<{ ref: string; parts: number[] }[]> =>
  sql(DISOWNED, [limit]);
