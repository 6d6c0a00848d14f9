import type { Db } from './database.ts';

/** Opens this month and the next `ahead`; resolves to how many were missing. */
export async function openMonths(db: Db, ahead: number): Promise<number> {
  const [row] = await db.$queryRaw<{ opened: number }[]>`SELECT open_months(${ahead}::integer) AS opened`;
  return row?.opened ?? 0;
}

/** How many months after this one are open without a gap. */
export async function monthsAhead(db: Db, most: number): Promise<number> {
  const [row] = await db.$queryRaw<{ ahead: number }[]>`
    SELECT coalesce(min(n) FILTER (
      WHERE NOT month_is_open((period_of(clock_timestamp()) + n * interval '1 month')::date)
    ), ${most}::integer + 1) - 1 AS ahead
    FROM generate_series(1, ${most}::integer) AS n`;
  return row?.ahead ?? 0;
}
