import type { Sql } from './database.ts';

/** Opens this month and the next `ahead`; resolves to how many were missing. */
export async function openMonths(sql: Sql, ahead: number): Promise<number> {
  const [row] = await sql.$queryRaw<{ opened: number }[]>`SELECT open_months(${ahead}::integer) AS opened`;
  return row?.opened ?? 0;
}

/** How many months after this one are open without a gap. */
export async function monthsAhead(sql: Sql, most: number): Promise<number> {
  const [row] = await sql.$queryRaw<{ ahead: number }[]>`
    SELECT coalesce(min(n) FILTER (
      WHERE NOT month_is_open((period_of(clock_timestamp()) + n * interval '1 month')::date)
    ), ${most}::integer + 1) - 1 AS ahead
    FROM generate_series(1, ${most}::integer) AS n`;
  return row?.ahead ?? 0;
}
