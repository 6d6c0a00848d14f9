import type { Backlog, Sql } from '@tds/service-kit';
import type { SharedUse } from '../domain/observed-routes.ts';
import type { Database } from './database.ts';

/** More need not be counted to know that there are too many. */
const MOST_COUNTED = 10_000;
/** Told in vain so often, the ledger has not been told for more than a minute. */
const TRIES = 3;

const countOf = async (sql: Sql, name: string, rows: string, value: number): Promise<Backlog> => {
  const text = `SELECT count(*)::int AS count FROM (SELECT FROM ${rows} LIMIT ${MOST_COUNTED}) AS found`;
  const [found] = await sql<{ count: number }>({ name, text }, [value]);
  return { count: found?.count ?? 0 };
};

/** Rows of this lane that wait for their turn: 0 somebody waits for, 1 are of jobs. */
export const waitingRows = (sql: Sql, lane: 0 | 1): Promise<Backlog> =>
  countOf(sql, 'waiting-rows', "operations WHERE state = 'ready' AND lane = $1", lane);

/** Charges and returns that the ledger has not taken when told. */
export const untoldDues = (sql: Sql): Promise<Backlog> =>
  countOf(sql, 'untold-dues', 'dues WHERE tries >= $1', TRIES);

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
