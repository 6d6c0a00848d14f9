import { balanceChecks, headChecks, sealChecks } from './entry-checks.ts';
import { blockChecks, itemsChecks, reservationChecks } from './reservation-checks.ts';
import { keyDayChecks, monthChecks } from './usage-checks.ts';

export type Finding = {
  readonly account: string | null;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
};

/** One connection to the ledger's database, not a pool. It only reads. */
export type BooksConnection = { query(sql: string): Promise<{ rows: Finding[] }> };

/** Reads one snapshot, so it can run beside a working ledger. */
const runChecks = async (connection: BooksConnection, checks: readonly string[]): Promise<Finding[]> => {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const findings: Finding[] = [];
    for (const check of checks) findings.push(...(await connection.query(check)).rows);
    return findings;
  } finally {
    await connection.query('ROLLBACK');
  }
};

/** Recomputes every balance, reservation and key day from the entries. Resolves to the differences: none if the books are right. */
export const checkBooks = (connection: BooksConnection): Promise<Finding[]> =>
  runChecks(connection, [
    ...balanceChecks,
    ...blockChecks,
    ...reservationChecks,
    ...itemsChecks,
    ...keyDayChecks,
    ...monthChecks,
    ...sealChecks,
  ]);

/** Compares what was booked since the last seals, at any size of the ledger. Trusts the sealed entries. */
export const checkNewBooks = (connection: BooksConnection): Promise<Finding[]> =>
  runChecks(connection, headChecks);
