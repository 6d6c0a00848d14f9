import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sqlByteBudget } from '@tds/video-platform';
import { startSearch, type TestSearch } from '../test-support/start-search.ts';

const BYTES_PER_DAY = 1_000;
let search: TestSearch;
beforeAll(async () => {
  search = await startSearch();
});
afterAll(() => search?.stop());

const budget = () => sqlByteBudget(search.kit().db, { ofAll: BYTES_PER_DAY, ofCaller: 400 });

describe('the daily bytes of proxies', () => {
  it('are shared by all instances without loss, and excess bytes are no debt', async () => {
    expect(await budget().remaining(null)).toBe(BYTES_PER_DAY);
    await Promise.all(Array.from({ length: 9 }, () => budget().spend(100, null)));
    expect(await budget().remaining(null)).toBe(100);
    await budget().spend(5_000_000_000, null);
    expect(await budget().remaining(null)).toBe(0);
  });

  it('are shared among callers: a used-up share leaves the others intact', async () => {
    await search.kit().db.query('DELETE FROM proxy_spending');
    await budget().spend(500, 'greedy');
    expect([await budget().remaining('greedy'), await budget().remaining('bystander')]).toEqual([0, 400]);
    await budget().spend(300, 'bystander');
    expect(await budget().remaining('bystander')).toBe(100);
    expect(await budget().remaining('third')).toBe(200);
  });

  it('are available again the next day', async () => {
    await search.kit().db.query(`UPDATE proxy_spending SET day = day - 1`);
    expect(await budget().remaining(null)).toBe(BYTES_PER_DAY);
    await budget().spend(1, null);
    expect(await budget().remaining(null)).toBe(BYTES_PER_DAY - 1);
  });
});
