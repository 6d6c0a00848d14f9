import { createHash } from 'node:crypto';
import type { Pool } from 'pg';

/** Before every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Of a statement that returns one. */
export const onlyRow = <Row>([row]: readonly Row[]): Row => {
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
};

/** Beyond these, statements that are put together at run time (lists of any length) would fill the servers' memory. */
const MAX_NAMES = 500;
/** Postgres cuts names at 63 characters. */
const NAME_LENGTH = 32;

type NameOf = (statement: { readonly sql: string }) => string;

/**
 * Names statements by their text, so that a connection has each of them parsed and planned once. For Prisma's adapter,
 * which otherwise has the server do both at every query. A migration must not change the columns of a statement that is
 * in use: connections that know it would refuse it until they are replaced.
 */
export const createStatementNames = (maxNames = MAX_NAMES): NameOf => {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const cached = names.get(sql);
    if (cached !== undefined) return cached;
    if (names.size >= maxNames) return '';
    const name = createHash('sha256').update(sql).digest('hex').slice(0, NAME_LENGTH);
    names.set(sql, name);
    return name;
  };
};

const nameOf = createStatementNames();

/** For the driver: a statement whose text is put together once, so that a connection has it parsed and planned once. */
export const named = (text: string, values: unknown[]) => ({ name: nameOf({ sql: text }), text, values });

export type Sql = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/**
 * Hot statements straight through the driver, which gives `bigint` as text: parsed and planned once per connection, and for a
 * third of the time that Prisma takes around each of them.
 */
export const createSql =
  (pool: Pick<Pool, 'query'>): Sql =>
  async <Row>(text: string, values: readonly unknown[]) =>
    (await pool.query(named(text, [...values]))).rows as Row[];

const MAX_DEPTH = 6;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** All codes of an error and its causes, outermost first: SQLSTATEs, Prisma's P-codes, errno names. */
const errorCodes = (thrown: unknown, depth = 0): string[] => {
  if (!isRecord(thrown) || depth > MAX_DEPTH) return [];
  const own = [thrown.originalCode, thrown.code, thrown.kind].filter((code) => typeof code === 'string');
  // The places in which drivers and Prisma keep the server's code: on the error, in `meta`, in the adapter's error, or below `cause`.
  const nested = [thrown.cause, thrown.meta, thrown.driverAdapterError];
  return [...own, ...nested.flatMap((inner) => errorCodes(inner, depth + 1))];
};

const conflicts = new Set(['40001', '40P01', 'P2034', 'TransactionWriteConflict']);

/** A serialization failure or a deadlock: the same transaction may succeed when it is run again. */
export const isWriteConflict = (thrown: unknown): boolean =>
  errorCodes(thrown).some((code) => conflicts.has(code));

/** Connection failures, shutdowns, a restore, too many connections, timeouts, no space left. */
const awayCodes = new Set([
  ...['55P03', '57014', '57P01', '57P02', '57P03', '57P05', '3D000', '25P03', '25006', '40001', '40P01'],
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034'],
  ...[
    'DatabaseNotReachable',
    'ConnectionClosed',
    'SocketTimeout',
    'TooManyConnections',
    'TransactionWriteConflict',
  ],
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH', 'EAI_AGAIN'],
]);
const isAwayCode = (code: string): boolean => awayCodes.has(code) || /^(?:08|53)[0-9A-Z]{3}$/.test(code);

/** Errors of the driver and its pool have no code; the code of a closed database has other meanings, too. */
const awayMessages =
  /not currently accepting connections|connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|cannot use a pool after|query read timeout/i;

/** Whether the database, not the request, is the reason: the same request may succeed when the database is back. */
export const isDatabaseAway = (thrown: unknown): boolean =>
  errorCodes(thrown).some(isAwayCode) ||
  (thrown instanceof Error && (awayMessages.test(thrown.message) || isDatabaseAway(thrown.cause)));

/** The part of a Prisma client or transaction that the kit needs; store code passes its own `tx`. */
export type SqlExecutor = {
  $queryRawUnsafe<T = unknown>(sql: string, ...values: unknown[]): Promise<T>;
  $executeRawUnsafe(sql: string, ...values: unknown[]): Promise<number>;
};

/** Anything with Prisma's interactive transactions. */
export type Transactional<Tx> = {
  $transaction<T>(work: (tx: Tx) => Promise<T>, options?: { timeout?: number; maxWait?: number }): Promise<T>;
};

/** A pool or one of its connections as statements outside Prisma see it; with `nameOf` they are parsed and planned once. */
export const sqlExecutor = (client: Pick<Pool, 'query'>, nameOf: NameOf = () => ''): SqlExecutor => {
  const run = (sql: string, values: unknown[]) => client.query({ name: nameOf({ sql }), text: sql, values });
  return {
    $queryRawUnsafe: async <T>(sql: string, ...values: unknown[]) => (await run(sql, values)).rows as T,
    $executeRawUnsafe: async (sql, ...values) => (await run(sql, values)).rowCount ?? 0,
  };
};

/** Answers the database's present time: one clock for all instances of a service. */
export const readDatabaseClock = async (db: Pick<SqlExecutor, '$queryRawUnsafe'>): Promise<Date> =>
  onlyRow(await db.$queryRawUnsafe<{ now: Date }[]>('SELECT clock_timestamp() AS now')).now;

/**
 * SQL for the next version of a row, which its events carry, from the present one (in SQL functions: `messaging.next_version`). It is
 * never below the milliseconds since 1970, so that versions still grow after a restore.
 */
export const nextVersionSql = (version: string): string => `messaging.next_version(${version})`;
