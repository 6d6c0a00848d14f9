import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createComparison } from '../test-support/compare-with-model.ts';
import { type LedgerDatabase, openLedgerDatabase } from '../test-support/ledger-database.ts';
import { buildSequence } from '../test-support/ledger-steps.ts';

let database: LedgerDatabase;
beforeAll(async () => {
  database = await openLedgerDatabase();
});
afterAll(() => database.close());

it('random operations, repeats and clock jumps give exactly the balances of the plain model', async () => {
  const { run, outcomes } = createComparison(database);
  const property = fc.asyncProperty(buildSequence({ min: 20, max: 120 }), run);
  await Promise.all([50, 50, 50, 50].map((numRuns) => fc.assert(property, { numRuns })));
  const { rows } = await database.admin.query<{ entries: number }>('SELECT count(*) AS entries FROM entries');
  expect(rows[0]!.entries).toBeGreaterThan(3_000);
  expect(outcomes.get('capped')).toBeGreaterThan(100);
  expect(await database.findings()).toEqual([]);
});
