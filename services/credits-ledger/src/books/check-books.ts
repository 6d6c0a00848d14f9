import { balanceChecks } from './balance-checks.ts';
import { keyDayChecks } from './key-day-checks.ts';
import { partsChecks } from './parts-checks.ts';
import { reservationChecks } from './reservation-checks.ts';
import { sealChecks } from './seal-checks.ts';

export type Finding = {
  readonly account: string | null;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
};

/** One connection (not a pool) to the ledger's database; reading is enough. */
export type BooksConnection = { query(sql: string): Promise<{ rows: Finding[] }> };

/**
 * Recomputes every balance, reservation and day of a key from the entries. Resolves to what does not add up: an empty list
 * means that the books are right. Sees one moment, so it may run beside a working ledger.
 */
export const checkBooks = async (connection: BooksConnection): Promise<Finding[]> => {
  await connection.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  try {
    const findings: Finding[] = [];
    for (const check of [
      ...balanceChecks,
      ...reservationChecks,
      ...partsChecks,
      ...keyDayChecks,
      ...sealChecks,
    ]) {
      findings.push(...(await connection.query(check)).rows);
    }
    return findings;
  } finally {
    await connection.query('ROLLBACK');
  }
};
