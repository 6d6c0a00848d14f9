import { randomUUID } from 'node:crypto';
import { channelAt, channelVideoIds, loadVideoId } from '@tds/platform-simulator';
import { testContext } from '@tds/service-kit/testing';
import { eventually, limitDeletes } from '@tds/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageOf, startSearch, type TestSearch } from '../test-support/start-search.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let search: TestSearch;
beforeAll(async () => {
  search = await startSearch({ environment: { ORPHANED_AFTER: '0ms' } });
});
afterAll(() => search?.stop());

const query = (text: string, values: unknown[] = []) => search.kit().db.query(text, values);
const rows = async (table: string): Promise<number> =>
  Number((await query(`SELECT count(*) FROM ${table}`)).rows[0].count);
const run = (name: 'purgeOldRows' | 'endAbandonedSearches' | 'reconcileReservations') =>
  search.handlers().schedules[name](testContext());

describe('purging', () => {
  it('keeps what a rule still looks at, and deletes it afterwards', async () => {
    await search.list(channelAt(1, 1)!.handle);
    await search.resolve([loadVideoId(1)]);
    await search.find('old words');
    const young = ['listings', 'listing_pages', 'walks', 'day_counts', 'counted_inputs'];
    const old = ['searches', 'channel_names', 'video_lists', 'known_videos'];
    await run('purgeOldRows');
    for (const table of [...young, ...old]) expect([table, await rows(table)]).not.toEqual([table, 0]);
    search.clock.advance(4 * DAY_MS);
    await run('purgeOldRows');
    for (const table of young) expect([table, await rows(table)]).toEqual([table, 0]);
    for (const table of old) expect([table, await rows(table)]).not.toEqual([table, 0]);
    search.clock.advance(61 * DAY_MS);
    await run('purgeOldRows');
    for (const table of old) expect([table, await rows(table)]).toEqual([table, 0]);
  });

  it('gets through 50,000 rows in one run, in statements that stay short', async () => {
    await query(
      `INSERT INTO day_counts (scope, day, count) SELECT 's' || n, '2020-01-01', 1 FROM generate_series(1, 50000) AS n`,
    );
    await limitDeletes(search.database.adminUrl, 'day_counts', 1_000);
    await run('purgeOldRows');
    expect(await rows('day_counts')).toBe(0);
  });
});

/** As a process leaves it that died: saved, with its credit held, and nobody who works on it. */
const leaveBehind = async (state: 'open' | 'fetched'): Promise<string> => {
  const id = randomUUID();
  await query(
    `INSERT INTO searches (id, account_id, key_id, limit_id, fingerprint, question, state, created_at)
     VALUES ($1, $2, $3, $3, gen_random_uuid()::text, 'q', $4, $5)`,
    [id, search.account, search.key, state, search.clock.now()],
  );
  search.ledger.reservations.set(id, 'open');
  return id;
};

describe('the sweepers', () => {
  it.each(['open', 'fetched'] as const)(
    'end a search that was left %s, and give its credit back',
    async (state) => {
      const id = await leaveBehind(state);
      await run('endAbandonedSearches');
      expect(search.ledger.reservations.get(id)).toBe('open');
      search.clock.advance(61_000);
      await run('endAbandonedSearches');
      await eventually(() => expect(search.ledger.reservations.get(id)).toBe('released'));
    },
  );

  it('grant back what had been charged by then', async () => {
    const id = await leaveBehind('fetched');
    search.ledger.reservations.set(id, 'settled');
    search.clock.advance(61_000);
    await run('endAbandonedSearches');
    await eventually(() => expect(search.ledger.paid(id)).toBe(0));
  });

  it('walk on with a listing that lost its task', async () => {
    const { id } = channelAt(13, 1)!;
    search.simulator.setLatency(300);
    expect(await search.list(id, { waitMs: 0 })).toEqual({ state: 'pending' });
    await query(`DELETE FROM messaging.tasks`);
    search.simulator.setLatency(0);
    search.clock.advance(61_000);
    await run('endAbandonedSearches');
    const page = pageOf(await search.list(id));
    expect(page.videos.map((video) => video.video_id)).toEqual(channelVideoIds(13, 1));
  });

  it('give back what the ledger holds for searches that nobody knows, and nothing else', async () => {
    const [known, unknown] = [await leaveBehind('open'), randomUUID()];
    search.ledger.reservations.set(unknown, 'open');
    await run('reconcileReservations');
    expect(search.ledger.reservations.get(unknown)).toBe('released');
    expect(search.ledger.reservations.get(known)).toBe('open');
  });
});
