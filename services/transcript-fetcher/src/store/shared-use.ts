import type { SharedUse } from '../domain/observed-routes.ts';
import type { Database } from './database.ts';

type Row = {
  readonly at: Date;
  readonly everybody: number;
  readonly freePool: number;
  readonly proxyBytes: bigint;
};

/** All instances tell the time by one clock. */
export const readClock = async (db: Database): Promise<Date> => {
  const [row] = await db.$queryRaw<[{ at: Date }]>`SELECT clock_timestamp() AS at`;
  return row.at;
};

/** What has been used of today's shared limits, and when that was by the database's clock. */
export const readSharedUse = async (
  db: Database,
  { hasProxies }: { readonly hasProxies: boolean },
): Promise<SharedUse & { readonly at: Date }> => {
  const [row] = await db.$queryRaw<[Row]>`
    WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day)
    SELECT clock_timestamp() AS at,
      coalesce((SELECT count FROM cold_counts WHERE scope = 'pool:global' AND day = today.day), 0) AS everybody,
      coalesce((SELECT count FROM cold_counts WHERE scope = 'pool:free' AND day = today.day), 0) AS "freePool",
      coalesce((SELECT bytes FROM proxy_spending WHERE scope = 'all' AND day = today.day), 0) AS "proxyBytes"
    FROM today`;
  return { ...row, proxyBytes: hasProxies ? Number(row.proxyBytes) : null };
};
