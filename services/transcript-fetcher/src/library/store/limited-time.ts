import { createDeadline, createSql, inTransaction, remainingMs, type Sql } from '@tds/base';
import type { ConnectionPool } from '../../store/database.ts';

/** Of a search, of words that are tried, and of queries that are matched together. Ten times as long as the slowest searches of a full library. */
export const TIME_LIMIT_MS = 2_000;

const LIMIT = `SELECT set_config('statement_timeout', $1, true), set_config('enable_seqscan', 'off', true)`;

/** One transaction, of which no statement begins or goes on after its time, or after the deadline of the signal. */
export const inLimitedTime = <Result>(
  pool: ConnectionPool,
  signal: AbortSignal,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> =>
  inTransaction(pool, async (client) => {
    using limit = createDeadline(TIME_LIMIT_MS, signal);
    const sql = createSql(client);
    return await work(async (statement, values) => {
      limit.signal.throwIfAborted();
      // Postgres takes whole milliseconds, and 0 for no limit.
      await client.query(LIMIT, [Math.ceil(remainingMs(limit.signal)) || 1]);
      return await sql(statement, values);
    });
  });

const LOCK = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS lock';

/** The same; null if another search of the account is under way, on any instance. */
export const inTurnOf = <Result>(
  pool: ConnectionPool,
  accountId: string,
  signal: AbortSignal,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result | null> =>
  inLimitedTime(pool, signal, async (sql) => {
    const [row] = await sql<{ lock: boolean }>(LOCK, [accountId]);
    return row?.lock ? await work(sql) : null;
  });

/** Whether work took its whole time, as Postgres or its signal says. */
export const isOverTime = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || ('code' in error && error.code === '57014'));
