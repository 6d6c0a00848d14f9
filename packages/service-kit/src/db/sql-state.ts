const MAX_DEPTH = 6;
const SQL_STATE = /^[0-9A-Z]{5}$/;

/** Where drivers and Prisma keep the server's code: on the error, in `meta`, in the adapter's error, or below `cause`. */
const nested = (error: Record<string, unknown>): unknown[] => [
  error.cause,
  error.meta,
  error.driverAdapterError,
];

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** All codes of an error and of what it wraps, outermost first: SQLSTATEs, Prisma's P-codes, errno names. */
export const errorCodes = (thrown: unknown, depth = 0): string[] => {
  if (!isRecord(thrown) || depth > MAX_DEPTH) return [];
  const own = [thrown.originalCode, thrown.code, thrown.kind].filter((code) => typeof code === 'string');
  return [...own, ...nested(thrown).flatMap((inner) => errorCodes(inner, depth + 1))];
};

/** The five characters by which Postgres names an error, through whatever wraps it; undefined where it was not Postgres. */
export const sqlState = (thrown: unknown): string | undefined =>
  // Prisma's own codes (P2034) have the same shape as an SQLSTATE.
  errorCodes(thrown).find((code) => SQL_STATE.test(code) && !/^(P[1-5]\d{3}|EPIPE)$/.test(code));

const conflicts = new Set(['40001', '40P01', 'P2034', 'TransactionWriteConflict']);

/** A serialization failure or a deadlock: the same transaction may succeed when it is run again. */
export const isConflict = (thrown: unknown): boolean =>
  errorCodes(thrown).some((code) => conflicts.has(code));

/** Connection failures, shutdowns, a database that is being put back, too many connections, timeouts, no space left. */
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
const isAwayCode = (code: string): boolean =>
  awayCodes.has(code) || (SQL_STATE.test(code) && (code.startsWith('08') || code.startsWith('53')));

/** What the driver and its pool throw has no code; that of a closed database stands for much else, too. */
const awayMessages =
  /not currently accepting connections|connection terminated|timeout exceeded when trying to connect|connection error and is not queryable|cannot use a pool after|query read timeout/i;

/** Whether the database, not the request, is the reason: the same request may succeed when the database is back. */
export const isDatabaseAway = (thrown: unknown): boolean =>
  errorCodes(thrown).some(isAwayCode) ||
  (thrown instanceof Error && (awayMessages.test(thrown.message) || isDatabaseAway(thrown.cause)));
