import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { proven } from '@tds/test-kit';
import fc from 'fast-check';
import { createComparison } from '../test-support/compare-with-model.ts';
import { type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';
import { buildSequence } from '../test-support/ledger-steps.ts';

/** Of four sides at once. */
const RUNS = proven(12, 500);

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase();
});
afterAll(() => database.close());

it('random operations, repeats and clock jumps give exactly the balances of the plain model', async () => {
  const { run, outcomes } = createComparison(database);
  const property = fc.asyncProperty(buildSequence({ min: 20, max: 120 }), run);
  await Promise.all(Array.from({ length: 4 }, () => fc.assert(property, { numRuns: RUNS })));
  const { rows } = await database.admin.query<{ entries: number }>('SELECT count(*) AS entries FROM entries');
  expect(rows[0]!.entries).toBeGreaterThan(RUNS * 60);
  expect(outcomes.get('capped')).toBeGreaterThan(RUNS * 2);
  expect(await database.findings()).toEqual([]);
});
