import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sqlByteBudget } from '@tds/video-platform';
import { startSearch, type TestSearch } from '../test-support/start-search.ts';

const BYTES_PER_DAY = 1_000;
let search: TestSearch;
beforeAll(async () => {
  search = await startSearch();
});
afterAll(() => search?.stop());

const budget = () => sqlByteBudget(search.kit().db, BYTES_PER_DAY);

describe('the bytes that proxies may read on a day', () => {
  it('are shared by all instances, none is lost, and what was read beyond them is no debt', async () => {
    expect(await budget().remaining()).toBe(BYTES_PER_DAY);
    await Promise.all(Array.from({ length: 9 }, () => budget().spend(100)));
    expect(await budget().remaining()).toBe(100);
    await budget().spend(5_000_000_000);
    expect(await budget().remaining()).toBe(0);
  });

  it('come back with the next day', async () => {
    await search.kit().db.query(`UPDATE proxy_spending SET day = day - 1`);
    expect(await budget().remaining()).toBe(BYTES_PER_DAY);
  });
});
