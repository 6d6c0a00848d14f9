import type { Db } from './database.ts';

/** One statement and one commit; resolves to how many entries were looked at: fewer than `most` if there are no more. */
export async function sealEntries(db: Db, most: number): Promise<number> {
  const [row] = await db.$queryRaw<{ found: number }[]>`SELECT seal_entries(${most}::integer) AS found`;
  return row?.found ?? 0;
}
