import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/platform-simulator';
import { startFetcher, type TestFetcher } from './test-support/start-fetcher.ts';

let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());

it('operators see the ways to the platform, and that none of them is given up', async () => {
  await fetcher.get({ videoId: loadVideoId(1) });
  const metric = await fetcher.scrape();
  expect(metric('tds_circuit_open', { exit: 'direct' })).toBe(0);
});

it('operators see the way that has failed, and how long ago', async () => {
  fetcher.simulator.faults.add({ fault: 'block' });
  for (let nth = 100; nth < 110; nth += 1) await fetcher.get({ videoId: loadVideoId(nth) }).catch(() => {});
  fetcher.simulator.faults.clear();
  const metric = await fetcher.scrape();
  expect(metric('tds_circuit_open', { exit: 'direct' })).toBe(1);
  expect(metric('tds_circuit_failed_seconds', { exit: 'direct' })).toBeLessThan(600);
});

it('operators see charges that the ledger has not taken for a while, and not those that are on their way', async () => {
  const insert = `INSERT INTO dues (id, rounds, tries, due_at) VALUES ($1, '[]', $2, now() + interval '1 hour')`;
  for (const tries of [0, 1, 2, 3, 8]) await fetcher.query(insert, [randomUUID(), tries]);
  expect((await fetcher.scrape())('tds_backlog', { what: 'charges' })).toBe(2);
});

it('operators see the rows that wait for their turn, apart from reads', async () => {
  const insert = `
    INSERT INTO operations (id, lane, line_id, position, account_id, video_id, language, fallback, format, state, price)
    SELECT gen_random_uuid(), 1, $1, n, $1, 'waiting' || lpad(n::text, 4, '0'), 'en', true, 'json', 'ready', 1
    FROM generate_series(1, 7) AS n`;
  await fetcher.query(insert, [randomUUID()]);
  const metric = await fetcher.scrape();
  expect(metric('tds_backlog', { what: 'rows' })).toBe(7);
  expect(metric('tds_backlog', { what: 'reads' })).toBe(0);
});
