import type { Finding } from '@tds/audit/books';
import fc from 'fast-check';
import { createComparison } from './compare-with-model.ts';
import { openLedgerDatabase } from './ledger-database.ts';
import { buildSequence } from './ledger-steps.ts';

/** Concurrent sequences, each with its own accounts. */
const CONCURRENCY = 4;

export type ModelRun = { readonly sequences: number; readonly steps: number; readonly seed: number };

export type ModelFigures = {
  /** fast-check's report of the shortest sequence that broke a rule. */
  readonly broken: readonly string[];
  readonly findings: readonly Finding[];
  readonly entries: number;
  readonly sealed: number;
  readonly outcomes: ReadonlyMap<string, number>;
};

/**
 * Compares `sequences` random sequences of `steps` steps with the plain model in one database, then seals every entry and checks the books.
 * The same seed gives the same sequences.
 */
export const runModel = async ({ sequences, steps, seed }: ModelRun): Promise<ModelFigures> => {
  const database = await openLedgerDatabase();
  try {
    const { run, outcomes } = createComparison(database);
    const property = fc.asyncProperty(buildSequence({ min: steps, max: steps }), run);
    const checks = await Promise.all(
      Array.from({ length: CONCURRENCY }, (_, index) => {
        const numRuns = Math.floor((sequences + index) / CONCURRENCY);
        return numRuns === 0 ? null : fc.check(property, { numRuns, seed: seed + index });
      }),
    );
    const { rows } = await database.owner.query('SELECT seal_entries(2147483647) AS sealed');
    const counted = await database.admin.query<{ entries: number }>('SELECT count(*) AS entries FROM entries');
    return {
      broken: checks.flatMap((check) => (check?.failed ? [fc.defaultReportMessage(check) ?? 'failed'] : [])),
      findings: [...(await database.findings()), ...(await database.newFindings())],
      entries: counted.rows[0]?.entries ?? 0,
      sealed: Number(rows[0]?.sealed),
      outcomes,
    };
  } finally {
    await database.close();
  }
};
