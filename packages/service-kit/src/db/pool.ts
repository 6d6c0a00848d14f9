import { IDLE_TRANSACTION_MS, LOCK_WAIT_MS, POOL_WAIT_MS, QUERY_MS, STATEMENT_MS } from '@tds/contracts';
import pg from 'pg';
import type { Log } from '../log/log.ts';
import { endWithConnections } from './end-connections.ts';

export type PoolOptions = {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** How long somebody waits for a connection to come free, or to be opened. */
  readonly waitMs?: number;
  /** Of Postgres, for each session. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Is done with each new connection before anybody gets it. */
  readonly onConnect?: (client: pg.ClientBase) => Promise<void>;
  readonly log: Log;
};

const DEFAULT_CONNECTIONS = 10;
/** Longer than from one run of the schedules to the next: opening a connection costs many times what most of them ask. */
const IDLE_MS = 90_000;

/**
 * Connections that give up: no statement, lock or forgotten transaction holds anything for long. The death of an idle
 * connection (a restart of the database) is logged and never ends the process.
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
    // Whoever waits for longer is told to come back soon after.
    connectionTimeoutMillis: waitMs ?? POOL_WAIT_MS,
    idleTimeoutMillis: IDLE_MS,
    keepAlive: true,
    ...(onConnect ? { onConnect } : {}),
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    statement_timeout: STATEMENT_MS,
    lock_timeout: LOCK_WAIT_MS,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    query_timeout: QUERY_MS,
  });
  pool.on('error', (error: Error & { code?: string }) =>
    // Not the error itself: it carries the whole client with it.
    log.warn('an idle database connection ended', { code: error.code, reason: error.message }),
  );
  // The end of a connection may be read together with the answer that hands it out, before whoever asked can listen.
  // Nothing is hidden: such a connection refuses its next query, and the pool throws it away.
  pool.on('connect', (client) => client.on('error', () => {}));
  endWithConnections(pool);
  return pool;
};
