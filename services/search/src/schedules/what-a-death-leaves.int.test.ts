import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testContext } from '@tds/kit/testing';
import { channelAt, loadVideoId } from '@tds/simulators/platform';
import { channelVideoIds } from '@tds/simulators/platform/testing';
import { eventually, limitDeletes } from '@tds/test-kit';
import { toPageReservation } from '../domain/search.ts';
import { shownPage, startSearch, type TestSearch } from '../test-support/start-search.ts';

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
  it('keeps rows that a rule needs, and deletes them afterwards', async () => {
    await search.list(channelAt(1, 1)!.handle);
    await search.resolve([loadVideoId(1)]);
    await search.find('old words');
    await query(`INSERT INTO proxy_spending VALUES ('caller:a', '2026-11-20', 1)`);
    const young = ['proxy_spending', 'listings', 'listing_pages', 'walks', 'day_counts', 'counted_inputs'];
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

  it('deletes 50,000 rows in one run, in short statements', async () => {
    await query(
      `INSERT INTO day_counts (scope, day, count) SELECT 's' || n, '2020-01-01', 1 FROM generate_series(1, 50000) AS n`,
    );
    await limitDeletes(search.database.adminUrl, 'day_counts', 1_000);
    await run('purgeOldRows');
    expect(await rows('day_counts')).toBe(0);
  });
});

const credit = (id: string) =>
  toPageReservation({ accountId: search.account, keyId: search.key, requestId: id });
const hold = (id: string) => search.ledger.books().reserve({ ...credit(id), coverage: 'all' });
const isHeld = (id: string): boolean => search.ledger.held(id).length > 0;

/** A search of a dead process: saved, with its credit held. */
const leaveBehind = async (state: 'open' | 'fetched'): Promise<string> => {
  const id = randomUUID();
  await query(
    `INSERT INTO searches (id, account_id, key_id, limit_id, fingerprint, question, state, created_at)
     VALUES ($1, $2, $3, $3, gen_random_uuid()::text, 'q', $4, $5)`,
    [id, search.account, search.key, state, search.clock.now()],
  );
  hold(id);
  return id;
};

describe('the schedules', () => {
  it.each(['open', 'fetched'] as const)(
    'end a search that was left %s, and release its credit',
    async (state) => {
      const id = await leaveBehind(state);
      await run('endAbandonedSearches');
      expect(isHeld(id)).toBe(true);
      search.clock.advance(61_000);
      // The first run ends it, the second one finds that its credit must be released.
      for (const _ of [1, 2]) await run('endAbandonedSearches');
      await eventually(() => expect(isHeld(id)).toBe(false));
      expect(search.ledger.paid(id)).toBe(0);
    },
  );

  it('refund a search that was charged', async () => {
    const id = await leaveBehind('fetched');
    search.ledger.books().charge(credit(id));
    search.clock.advance(61_000);
    for (const _ of [1, 2]) await run('endAbandonedSearches');
    await eventually(() => expect(search.ledger.paid(id)).toBe(0));
  });

  it('continue a listing without a task', async () => {
    const { id } = channelAt(13, 1)!;
    search.simulator.setLatency(300);
    expect(await search.list(id, { waitMs: 0 })).toEqual({ state: 'pending' });
    await query(`DELETE FROM messaging.tasks`);
    search.simulator.setLatency(0);
    search.clock.advance(61_000);
    await run('endAbandonedSearches');
    const page = shownPage(await search.list(id));
    expect(page.videos.map((video) => video.video_id)).toEqual(channelVideoIds(13, 1));
  });

  it('release credits held for unknown searches, and nothing else', async () => {
    const [known, unknown] = [await leaveBehind('open'), randomUUID()];
    hold(unknown);
    await run('reconcileReservations');
    expect(isHeld(unknown)).toBe(false);
    expect(isHeld(known)).toBe(true);
  });

  it('charge delivered pages again, once, if the ledger lost their charge', async () => {
    const copy = search.ledger.copy();
    const [requestId, failed] = [randomUUID(), await leaveBehind('open')];
    await search.find('lost charge', { requestId });
    search.clock.advance(1_000);
    await run('reconcileReservations');
    search.ledger.putBack(copy);
    expect(search.ledger.paid(requestId)).toBe(0);
    for (const _ of [1, 2]) await run('reconcileReservations');
    expect([requestId, failed].map((id) => search.ledger.paid(id))).toEqual([1, 0]);
  });

  it('mark a page as uncollected if its account is closed', async () => {
    const copy = search.ledger.copy();
    const requestId = randomUUID();
    await search.find('closed account', { requestId });
    search.clock.advance(1_000);
    search.ledger.putBack(copy);
    search.ledger.fail('chargeItems', 'account_closed');
    await run('reconcileReservations');
    search.ledger.fail('chargeItems', null);
    await run('reconcileReservations');
    const { rows } = await query('SELECT settlement FROM searches WHERE id = $1', [requestId]);
    expect([rows, search.ledger.paid(requestId)]).toEqual([[{ settlement: 'uncollected' }], 0]);
  });
});
