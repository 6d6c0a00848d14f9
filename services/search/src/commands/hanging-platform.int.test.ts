import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { codeOf } from '@tds/test-kit';
import { startSearch, type TestSearch } from '../test-support/start-search.ts';

let search: TestSearch;
beforeAll(async () => {
  search = await startSearch({ limits: { searchMs: 100 } });
});
afterAll(() => search?.stop());

it('a search ends at its limit if the platform hangs, and costs nothing', async () => {
  search.simulator.faults.add({ match: { endpoint: 'search' }, fault: 'hang' });
  const requestId = randomUUID();
  expect(await codeOf(search.find('words', { requestId }))).toBe('upstream_error');
  expect([search.ledger.held(requestId), search.ledger.paid(requestId)]).toEqual([[], 0]);
});
