import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { createTestDatabase, dueRows } from '@tds/test-kit';
import type { Pool } from './database.ts';
import { claimFeed, type DueFeed, feedQueueWithin } from './feeds.ts';

const PLACES = 5;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase('monitor-scheduler');
  pool = createTestPool(database.url, 8);
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});
beforeEach(async () => {
  await pool.query('DELETE FROM feeds');
  await pool.query(
    `INSERT INTO feeds (id, kind, source_id, watchers, due_at)
     SELECT gen_random_uuid(), 'channel', 'UC' || n, 1, now() - interval '1 second' FROM generate_series(1, 40) AS n`,
  );
});

const rows = feedQueueWithin(PLACES);
const inWork = async (): Promise<number> => {
  const { rows: found } = await pool.query('SELECT FROM feeds WHERE lease_until > now()');
  return found.length;
};
const save = (feeds: readonly DueFeed[]) =>
  rows.save(
    pool,
    feeds.map(({ id, epoch, dueAt }) => ({
      ...{ id, epoch, dueAt, nextInMs: 60_000 },
      changes: {
        ...{ title: null, failures: 0, last_error: null },
        ...{ knows_list: false, list_in: null, list_token: null, list_pages: 0 },
      },
    })),
  );

it('instances that claim at the same moment never check more feeds than there are places', async () => {
  const own = randomUUID();
  await pool.query(
    `INSERT INTO feeds (id, kind, source_id, due_at) VALUES ($1, 'channel', 'UCown', 'infinity')`,
    [own],
  );
  const claims = await Promise.all([
    ...Array.from({ length: 6 }, () => rows.claim(pool, 3)),
    claimFeed(pool, own, PLACES).then((feed) => (feed ? [feed] : [])),
  ]);
  const claimed = claims.flat();
  expect([claimed.length, await inWork()]).toEqual([PLACES, PLACES]);
  expect([await rows.claim(pool, 3), await claimFeed(pool, own, PLACES)]).toEqual([[], null]);
  await save(claimed.slice(0, 2));
  expect(await rows.claim(pool, 32)).toHaveLength(2);
  expect(await inWork()).toBe(PLACES);
});

it('the places of an instance that died come back when its leases end', async () => {
  expect(await rows.claim(pool, 32)).toHaveLength(PLACES);
  expect(await rows.claim(pool, 32)).toEqual([]);
  await dueRows('monitor-scheduler', (text, values) => pool.query(text, values)).endLeases('feeds');
  expect(await rows.claim(pool, 32)).toHaveLength(PLACES);
  expect(await inWork()).toBe(PLACES);
});
