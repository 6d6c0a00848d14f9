import type { Sql } from './database.ts';

/** One statement and one commit; answers how many entries were looked at: fewer than `most` where there are no more. */
export async function sealEntries(sql: Sql, most: number): Promise<number> {
  const [row] = await sql.$queryRaw<{ found: number }[]>`SELECT seal_entries(${most}::integer) AS found`;
  return row?.found ?? 0;
}
