import { balanceChecks, headChecks, sealChecks } from './entry-checks.ts';
import { blockChecks, partsChecks, reservationChecks } from './reservation-checks.ts';
import { keyDayChecks, monthChecks } from './usage-checks.ts';

export type Finding = {
  readonly account: string | null;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
};

/** One connection (not a pool) to the ledger's database; reading is enough. */
export type BooksConnection = { query(sql: string): Promise<{ rows: Finding[] }> };

/** Sees one moment, so it may run beside a working ledger. */
const look = async (connection: BooksConnection, checks: readonly string[]): Promise<Finding[]> => {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const findings: Finding[] = [];
    for (const check of checks) findings.push(...(await connection.query(check)).rows);
    return findings;
  } finally {
    await connection.query('ROLLBACK');
  }
};

/**
 * Recomputes every balance, reservation and day of a key from the entries. Resolves to what does not add up: an empty list
 * means that the books are right.
 */
export const checkBooks = (connection: BooksConnection): Promise<Finding[]> =>
  look(connection, [
    ...balanceChecks,
    ...blockChecks,
    ...reservationChecks,
    ...partsChecks,
    ...keyDayChecks,
    ...monthChecks,
    ...sealChecks,
  ]);

/** Compares what was booked since the last seals, however much there is before. What was sealed is taken at its word. */
export const checkNewBooks = (connection: BooksConnection): Promise<Finding[]> =>
  look(connection, headChecks);
