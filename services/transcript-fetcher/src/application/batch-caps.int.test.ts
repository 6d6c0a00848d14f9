import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Batch, batchOf, wordFor } from '../test-support/batches.ts';
import { startWithCaps, untouched } from '../test-support/cold-caps.ts';
import type { TestFetcher } from '../test-support/start-fetcher.ts';

const KEY_CAP = 10;
const RAMP = 4;
const GLOBAL_POOL = 60;
const DAY_MS = 86_400_000;

const { clock, freshVideo, nextDay } = untouched(70_000);
let fetcher: TestFetcher;
beforeAll(async () => {
  fetcher = await startWithCaps(clock, {
    key: KEY_CAP,
    ramp: RAMP,
    freePool: GLOBAL_POOL,
    globalPool: GLOBAL_POOL,
  });
});
afterAll(() => fetcher?.stop());

const freshVideos = (count: number) => Array.from({ length: count }, freshVideo);
const tally = async (batches: readonly Batch[]) => {
  const outcomes = (await Promise.all(batches.map((batch) => fetcher.batches.finish(batch)))).flat();
  const counted: Record<string, number> = {};
  for (const word of outcomes.map(wordFor)) counted[word] = (counted[word] ?? 0) + 1;
  return { counted, outcomes };
};

describe('a daily cap in the middle of a batch', () => {
  it('of a key admits the first rows, exactly as many as it has room for, also of batches that come at once', async () => {
    nextDay();
    const keyId = randomUUID();
    const first = batchOf(freshVideos(KEY_CAP + 5), { keyId });
    const { counted, outcomes } = await tally([first]);
    expect(counted).toEqual({ 'MISS 1': KEY_CAP, cold_fetch_cap: 5 });
    expect(outcomes.slice(0, KEY_CAP).every(({ state }) => state === 'delivered')).toBe(true);
    expect(outcomes.at(-1)).toMatchObject({ state: 'refused', retryAfterSeconds: 10 });
    nextDay();
    const again = { ...first, rows: batchOf(freshVideos(7)).rows };
    const other = { ...first, rows: batchOf(freshVideos(7)).rows };
    expect((await tally([again, other])).counted).toEqual({ 'MISS 1': KEY_CAP, cold_fetch_cap: 4 });
    const withHits = { ...first, rows: [...first.rows.slice(0, 5), ...batchOf(freshVideos(1)).rows] };
    const operations = withHits.rows.map((row) => ({ ...row, operationId: randomUUID() }));
    const cached = await tally([{ ...withHits, rows: operations }]);
    expect(cached.counted).toEqual({ 'HIT 0': 5, cold_fetch_cap: 1 });
  });

  it('of a new account is the smaller one, and rows without a key count together', async () => {
    nextDay();
    const accountCreatedAt = new Date(clock.now().getTime() - DAY_MS / 2).toISOString();
    const young = await tally([batchOf(freshVideos(8), { accountCreatedAt })]);
    expect(young.counted).toEqual({ 'MISS 1': RAMP, account_age_ramp: 8 - RAMP });
    const accountId = randomUUID();
    const keyless = [7, 7].map((count) => batchOf(freshVideos(count), { accountId, keyId: null }));
    expect((await tally(keyless)).counted).toEqual({ 'MISS 1': KEY_CAP, cold_fetch_cap: 4 });
  });

  it('of the shared pool is never passed, over two instances, and nothing that was refused keeps a permit', async () => {
    nextDay();
    const full = batchOf(freshVideos(KEY_CAP + 20));
    expect((await tally([full])).counted).toEqual({ 'MISS 1': KEY_CAP, cold_fetch_cap: 20 });
    const left = GLOBAL_POOL - KEY_CAP;
    const many = Array.from({ length: 12 }, () => batchOf(freshVideos(KEY_CAP)));
    const { counted } = await tally(many);
    // An instance may hold a last block while the other is asked.
    const missing = left - (counted['MISS 1'] ?? 0);
    expect(missing).toBeGreaterThanOrEqual(0);
    expect(missing).toBeLessThan(GLOBAL_POOL / 20);
    expect(counted.global_cold_cap).toBe(120 - left + missing);
  });
});
