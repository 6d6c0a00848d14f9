import type { Sql } from './database.ts';

/** One statement and one commit; answers how many entries were sealed. */
export async function sealEntries(sql: Sql, most: number): Promise<number> {
  const [row] = await sql.$queryRaw<{ sealed: number }[]>`SELECT seal_entries(${most}::integer) AS sealed`;
  return row?.sealed ?? 0;
}
