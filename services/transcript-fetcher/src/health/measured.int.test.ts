import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import { eventually } from '@tds/test-kit';
import { startFetcher, type TestFetcher } from '../test-support/start-fetcher.ts';

let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startFetcher();
});
afterAll(() => fetcher?.stop());

/** What is read at a scrape lacks where that takes long: a busy machine shows it at the next one. */
const shows = (check: (metric: Awaited<ReturnType<TestFetcher['scrape']>>) => void) =>
  eventually(async () => check(await fetcher.scrape()));

it('metrics show the routes to the platform, none with an open circuit', async () => {
  await fetcher.get({ videoId: loadVideoId(1) });
  await shows((metric) => expect(metric('tds_circuit_open', { exit: 'direct' })).toBe(0));
});

it('metrics show a failed route and the seconds since its failure', async () => {
  fetcher.simulator.faults.add({ fault: 'block' });
  for (let nth = 100; nth < 110; nth += 1) await fetcher.get({ videoId: loadVideoId(nth) }).catch(() => {});
  fetcher.simulator.faults.clear();
  await shows((metric) => {
    expect(metric('tds_circuit_open', { exit: 'direct' })).toBe(1);
    expect(metric('tds_circuit_failed_seconds', { exit: 'direct' })).toBeLessThan(600);
  });
});

it('metrics show late charges, and not those under way', async () => {
  const insert = `INSERT INTO settlements (id, reservations, tries, due_at) VALUES ($1, '[]', $2, now() + interval '1 hour')`;
  for (const tries of [0, 1, 2, 3, 8]) await fetcher.query(insert, [randomUUID(), tries]);
  await shows((metric) => expect(metric('tds_backlog', { what: 'charges' })).toBe(2));
});

it('metrics show waiting rows apart from reads', async () => {
  const insert = `
    INSERT INTO operations (id, priority, batch_id, position, account_id, video_id, language, fallback, format, state, price)
    SELECT gen_random_uuid(), 'jobs', $1, n, $1, 'waiting' || lpad(n::text, 4, '0'), 'en', true, 'json', 'ready', 1
    FROM generate_series(1, 7) AS n`;
  await fetcher.query(insert, [randomUUID()]);
  await shows((metric) => {
    expect(metric('tds_backlog', { what: 'rows' })).toBe(7);
    expect(metric('tds_backlog', { what: 'reads' })).toBe(0);
  });
});
