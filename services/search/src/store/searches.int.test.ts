import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestPool } from '@tds/base/testing';
import { type ErrorCode, serviceError } from '@tds/errors';
import { createTestDatabase, type TestDatabase } from '@tds/test-kit';
import { REPLAY_MS } from '../domain/durations.ts';
import { createDatabase, type Database } from './database.ts';
import { countOnce, readDayCounts, releaseOfDay, takeOfDay } from './day-counts.ts';
import {
  findByContinuation,
  findReplay,
  findSearch,
  openSearch,
  saveDelivered,
  saveFailed,
  saveFetched,
  saveReleased,
} from './searches.ts';

let database: TestDatabase;
let pool: ReturnType<typeof createTestPool>;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase('search');
  pool = createTestPool(database.url, 8);
  db = createDatabase(pool);
});
afterAll(async () => {
  await db.$disconnect();
  await pool.end();
  await database.drop();
});

const NOW = new Date('2026-03-04T23:59:59.500Z');
const after = (ms: number) => new Date(NOW.getTime() + ms);
const dataOf = (code: ErrorCode) => serviceError(code).data;
const page = { results: [], nextToken: 'platform-token', continuation: null };

const newSearch = (given: object = {}) => ({
  ...{ id: randomUUID(), accountId: randomUUID(), keyId: randomUUID(), limitId: randomUUID() },
  ...{ fingerprint: randomUUID(), question: 'question' },
  ...given,
});
const opened = async (given: object = {}) => {
  const search = newSearch(given);
  expect(await openSearch(db, search, NOW)).toBe(true);
  return search;
};
const delivered = async (given: object = {}) => {
  const search = await opened(given);
  expect(await saveFetched(db, search.id, { ...page, continuation: randomUUID() })).toBe(true);
  expect(await saveDelivered(db, search.id, NOW)).toBe(true);
  return search;
};

describe('a search', () => {
  it('is opened once by many concurrent repeats, and once for a page that its key has open', async () => {
    const search = newSearch();
    const repeats = await Promise.all(Array.from({ length: 8 }, () => openSearch(db, search, NOW)));
    expect(repeats.filter(Boolean)).toHaveLength(1);
    expect(await openSearch(db, { ...search, id: randomUUID() }, NOW)).toBe(false);
    expect(await openSearch(db, { ...search, id: randomUUID(), keyId: randomUUID() }, NOW)).toBe(true);
  });

  it('may be opened again when its page has ended', async () => {
    const search = await delivered();
    expect(await openSearch(db, { ...search, id: randomUUID() }, NOW)).toBe(true);
  });

  it('is delivered only if it was fetched, and ends once', async () => {
    const { id } = await opened();
    expect(await saveDelivered(db, id, NOW)).toBe(false);
    expect(await saveFetched(db, id, page)).toBe(true);
    expect(await saveFetched(db, id, page)).toBe(false);
    const ends = await Promise.all([
      saveDelivered(db, id, NOW),
      saveFailed(db, id, dataOf('upstream_error'), NOW, null),
    ]);
    expect(ends.filter(Boolean)).toHaveLength(1);
    expect(await saveFailed(db, id, dataOf('upstream_error'), NOW, null)).toBe(false);
  });

  it('that failed keeps its error, and nothing of its page', async () => {
    const { id } = await opened();
    const continuation = randomUUID();
    await saveFetched(db, id, { ...page, continuation });
    expect(await saveFailed(db, id, dataOf('upstream_error'), NOW, null)).toBe(true);
    const failed = { state: 'failed', results: [], nextToken: null, continuation: null };
    expect(await findSearch(db, id)).toMatchObject({ ...failed, error: { code: 'upstream_error' } });
    expect(await findByContinuation(db, continuation)).toBeNull();
  });

  it('is found by its id and by the continuation of its page, and by no other', async () => {
    const { id } = await opened();
    const continuation = randomUUID();
    const item = { kind: 'video', id: 'manualEn001' } as never;
    await saveFetched(db, id, { results: [item], nextToken: 'platform-token', continuation });
    const expected = { id, state: 'fetched', results: [item], nextToken: 'platform-token' };
    expect(await findSearch(db, id)).toMatchObject(expected);
    expect(await findByContinuation(db, continuation)).toMatchObject(expected);
    expect(await findSearch(db, randomUUID())).toBeNull();
    expect(await findByContinuation(db, 'platform-token')).toBeNull();
  });

  it('is not delivered after it was voided', async () => {
    const { id } = await opened();
    await saveFetched(db, id, page);
    await db.search.update({ where: { id }, data: { waivedAt: NOW } });
    expect(await saveDelivered(db, id, NOW)).toBe(false);
  });

  it('is marked as released only if it failed', async () => {
    const [good, bad] = [await delivered(), await opened()];
    await saveFailed(db, bad.id, dataOf('upstream_error'), NOW, null);
    for (const { id } of [good, bad]) await saveReleased(db, id);
    const rows = await db.search.findMany({ where: { id: { in: [good.id, bad.id] } } });
    const settlements = new Map(rows.map(({ id, settlement }) => [id, settlement]));
    expect([settlements.get(good.id), settlements.get(bad.id)]).toEqual([null, 'released']);
  });
});

describe('a replay', () => {
  it('is the newest delivered page of the same question and key, for a minute', async () => {
    const search = await delivered();
    const found = (keyId: string, at: Date) => findReplay(db, keyId, search.fingerprint, at);
    expect(await found(search.keyId, after(REPLAY_MS - 1))).toMatchObject({ id: search.id });
    expect(await found(search.keyId, after(REPLAY_MS))).toBeNull();
    expect(await found(randomUUID(), NOW)).toBeNull();
  });

  it('is never a page that was voided', async () => {
    const { id, keyId, fingerprint } = await delivered();
    await db.search.update({ where: { id }, data: { waivedAt: NOW } });
    expect(await findReplay(db, keyId, fingerprint, NOW)).toBeNull();
  });
});

describe('an allowance of a day', () => {
  it('is never exceeded by concurrent requests', async () => {
    const allowance = { scope: randomUUID(), limit: 5 };
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeOfDay(db, allowance, NOW)));
    expect(taken.filter(Boolean)).toHaveLength(5);
    expect(await readDayCounts(db, [allowance.scope], NOW)).toEqual(new Map([[allowance.scope, 5]]));
  });

  it('takes all of a larger count or nothing', async () => {
    const allowance = { scope: randomUUID(), limit: 5 };
    const counts = [6, 4, 2, 1];
    const taken: boolean[] = [];
    for (const count of counts) taken.push(await takeOfDay(db, allowance, NOW, count));
    expect(taken).toEqual([false, true, false, true]);
  });

  it('begins again at 00:00 UTC, and gets back what was taken on its own day', async () => {
    const allowance = { scope: randomUUID(), limit: 1 };
    const tomorrow = after(1_000);
    expect(await takeOfDay(db, allowance, NOW)).toBe(true);
    expect(await takeOfDay(db, allowance, tomorrow)).toBe(true);
    await releaseOfDay(db, allowance.scope, NOW);
    expect(await takeOfDay(db, allowance, tomorrow)).toBe(false);
    expect(await takeOfDay(db, allowance, NOW)).toBe(true);
  });

  it('never falls below nothing', async () => {
    const scope = randomUUID();
    await takeOfDay(db, { scope, limit: 2 }, NOW);
    for (let times = 0; times < 3; times += 1) await releaseOfDay(db, scope, NOW);
    expect(await readDayCounts(db, [scope], NOW)).toEqual(new Map([[scope, 0]]));
  });

  it('counts the same input once a day', async () => {
    const scope = randomUUID();
    const counted = await Promise.all(Array.from({ length: 6 }, () => countOnce(db, scope, 'list', NOW)));
    expect(counted.filter(Boolean)).toHaveLength(1);
    expect(await countOnce(db, scope, 'other', NOW)).toBe(true);
    expect(await countOnce(db, scope, 'list', after(1_000))).toBe(true);
  });
});
