import { POOL_WAIT_MS, QUERY_MS } from '@tds/contracts';
import pg, { type ClientBase, type Pool, type PoolClient } from 'pg';
import { retry } from '../async/backoff.ts';
import { endsWithin } from '../async/deadline.ts';
import type { Log } from '../log/log.ts';
import { isWriteConflict, onlyRow } from './sql.ts';

/** Time limit for a frozen server, which never closes. */
const MAX_END_MS = 2_000;

/**
 * A pool's own `end()` resolves once every connection was asked to close. If the server stops right after, those that have not
 * closed yet report it as a failure: here `end()` resolves once they are closed.
 */
export const endWithConnections = (pool: pg.Pool): void => {
  const open = new Set<Promise<void>>();
  pool.on('connect', (client) => {
    const closing = new Promise<void>((resolve) => client.once('end', resolve)).then(
      () => void open.delete(closing),
    );
    open.add(closing);
  });
  const end = pool.end.bind(pool);
  const endAll = async (): Promise<void> => {
    await end();
    await endsWithin(Promise.all(open), MAX_END_MS);
  };
  Object.assign(pool, { end: endAll });
};

export type PoolOptions = {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** How long a caller waits for a connection to come free or to open. */
  readonly waitMs?: number;
  /** Of Postgres, for each session. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Runs on each new connection before callers get it. */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>;
  readonly log: Log;
};

const DEFAULT_CONNECTIONS = 10;
/** Longer than the pause between runs of schedules, because opening a connection costs more than most of their queries. */
const IDLE_MS = 90_000;

/**
 * Connections whose role bounds statements, locks and forgotten transactions: a pooler refuses such limits at the start of a connection. The
 * death of an idle connection (a restart of the database) is logged and never ends the process.
 */
export const createPool = ({
  url,
  applicationName,
  maxConnections,
  waitMs,
  settings = {},
  onConnect,
  log,
}: PoolOptions): pg.Pool => {
  const pool = new pg.Pool({
    connectionString: url,
    application_name: applicationName,
    max: maxConnections ?? DEFAULT_CONNECTIONS,
    // A caller that waits for longer gets a 503 with a short retry time.
    connectionTimeoutMillis: waitMs ?? POOL_WAIT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    onConnect: async (client) => {
      const statements = Object.entries(settings).map(([name, value]) => `SET ${name} = ${value};`);
      if (statements.length > 0) await client.query(statements.join(''));
      await onConnect?.(client);
    },
    query_timeout: QUERY_MS,
  });
  pool.on('error', (error: Error & { code?: string }) =>
    // Not the error itself: it carries the whole client with it.
    log.warn('an idle database connection ended', { code: error.code, reason: error.message }),
  );
  // The end of a connection may be read together with the answer that hands it out, before the caller can listen.
  // Ignored safely: such a connection rejects its next query, and the pool discards it.
  pool.on('connect', (client) => client.on('error', () => {}));
  endWithConnections(pool);
  return pool;
};

/** Identifies the database: it changes after a restore, a new database of the same name, or a failover. */
export const DATABASE_EPOCH = `
  SELECT concat_ws(' ', system_identifier, oid,
    CASE WHEN pg_is_in_recovery() THEN 'standby' ELSE left(pg_walfile_name(pg_current_wal_lsn()), 8) END) AS epoch
  FROM pg_control_system(), pg_database WHERE datname = current_database()`;

/** Which database this is: the same for as long as nothing that it has committed can be gone. */
export const databaseEpoch = async (database: Pick<ClientBase, 'query'>): Promise<string> =>
  onlyRow((await database.query<{ epoch: string }>(DATABASE_EPOCH)).rows).epoch;

/** One transaction on a connection of its own. A connection whose rollback fails is discarded. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  // Without a listener, a connection that dies between two statements would end the process.
  const remember = (error: Error) => {
    broken = error;
  };
  client.on('error', remember);
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.off('error', remember);
    client.release(broken);
  }
}

const MAX_RETRIES = 5;
const FIRST_PAUSE_MS = 20;

/** Runs `work`, and again after a serialization failure or deadlock: at most five more times, with growing random pauses. */
export const retryConflicts = <T>(work: () => Promise<T>): Promise<T> =>
  retry(work, { isTransient: isWriteConflict, retries: MAX_RETRIES, firstMs: FIRST_PAUSE_MS });
