import { onlyRow, type Sql } from '@tds/base';
import type { Backlog } from '@tds/kit';
import type { Priority } from '../../domain/operation.ts';
import type { Database } from '../../store/database.ts';
import type { SharedUse } from '../domain/observed-routes.ts';

/** The count stops here: more is too many in any case. */
const MAX_COUNTED = 10_000;
/** After this many tries a settlement is more than a minute late. */
const TRIES = 3;

const countRows = async (sql: Sql, rows: string, value: number | string): Promise<Backlog> =>
  onlyRow(
    await sql(`SELECT count(*)::int AS count FROM (SELECT FROM ${rows} LIMIT ${MAX_COUNTED}) AS found`, [
      value,
    ]),
  );

export const waitingRows = (sql: Sql, priority: Priority): Promise<Backlog> =>
  countRows(sql, "operations WHERE state = 'ready' AND priority = $1", priority);

/** Settlements that the ledger has not accepted for more than a minute. */
export const pendingSettlements = (sql: Sql): Promise<Backlog> =>
  countRows(sql, 'settlements WHERE tries >= $1', TRIES);

/** A received transcript is searchable within seconds. */
const LATE_SECONDS = 60;

/** Received transcripts whose words should have been indexed a minute ago. */
export const unindexedEntries = (sql: Sql): Promise<Backlog> =>
  countRows(
    sql,
    `unindexed_transcripts WHERE greatest(due_at, lease_until) < now() - $1 * interval '1 second'`,
    LATE_SECONDS,
  );

/** Today's usage of the shared limits, with the database's time. */
export const readSharedUse = async (db: Database): Promise<SharedUse & { readonly at: Date }> => {
  const [row] = await db.$queryRaw<[SharedUse & { readonly at: Date }]>`
    WITH today AS (SELECT (now() AT TIME ZONE 'UTC')::date AS day)
    SELECT clock_timestamp() AS at,
      coalesce((SELECT count FROM cold_counts WHERE scope = 'pool:global' AND day = today.day), 0) AS everybody,
      coalesce((SELECT count FROM cold_counts WHERE scope = 'pool:free' AND day = today.day), 0) AS "freePool",
      coalesce((SELECT bytes FROM proxy_spending WHERE scope = 'all' AND day = today.day), 0)::float8 AS "proxyBytes"
    FROM today`;
  return row;
};
