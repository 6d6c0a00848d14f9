import type { Database, Tx } from './database.ts';

export type PoolCounts = {
  /** Takes up to `wanted` permits of a UTC day for this process; answers how many. */
  take(day: string, wanted: number): Promise<number>;
  /** Returns permits of a UTC day that were taken and not used. */
  giveBack(day: string, permits: number): Promise<void>;
};

/** A pool of cold fetches per UTC day that all instances share, one row for each day. */
export const poolCounts = (db: Database, pool: string, permitsPerDay: number): PoolCounts => {
  const scope = `pool:${pool}`;
  return {
    async take(day, wanted) {
      const [row] = await db.$queryRaw<{ taken: number }[]>`
        SELECT take_cold_block(${scope}, ${day}::date, ${wanted}::integer, ${permitsPerDay}::integer) AS taken`;
      return row?.taken ?? 0;
    },
    async giveBack(day, permits) {
      await db.$executeRaw`
        UPDATE cold_counts SET count = count - ${permits}::integer WHERE scope = ${scope} AND day = ${day}::date`;
    },
  };
};

/** Counts one cold fetch less in each scope. */
export async function uncount(tx: Tx, scopes: readonly string[], day: string): Promise<void> {
  await tx.$executeRaw`SELECT uncount_cold(${scopes}::text[], ${day}::date)`;
}
