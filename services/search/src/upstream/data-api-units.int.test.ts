import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { channelAt, giantChannel } from '@tds/simulators/platform';
import { codeOf, eventually } from '@tds/test-kit';
import { startSearch } from '../test-support/start-search.ts';

const SEED = 1;
const channel = (index: number) => channelAt(index, SEED)!;

describe('units of the Data API', () => {
  it('an account uses up its own share with all its keys; others continue', async () => {
    const own = await startSearch({
      environment: { PLATFORM_DATA_API_KEY: 'any-key' },
      limits: { dataApiUnitsPerDay: 9, dataApiUnitsPerAccount: 3 },
    });
    const list = (index: number, accountId: string) =>
      codeOf(own.list(channel(index).id, { contents: 'shorts', keyId: randomUUID(), accountId }));
    const [greedy, ...others] = Array.from({ length: 4 }, () => randomUUID());
    for (const index of [0, 1, 2]) expect(await list(index, String(greedy))).toBe('answered');
    expect(await list(3, String(greedy))).toBe('data_api_unit_cap');
    expect(await codeOf(own.resolve(['manualEn001'], { accountId: String(greedy) }))).toBe('data_api_unit_cap');
    for (const index of [4, 5, 6]) expect(await list(index, String(others[0]))).toBe('answered');
    for (const index of [7, 8, 9]) expect(await list(index, String(others[1]))).toBe('answered');
    expect(await list(10, String(others[2]))).toBe('data_api_unit_cap');
    const { rows } = await own
      .kit()
      .db.query(`SELECT count FROM day_counts WHERE scope = $1`, [`data_api_units:${others[2]}`]);
    expect(rows).toEqual([{ count: 0 }]);
    await own.stop();
  });

  it('all free accounts share a pool; paid ones continue', async () => {
    const own = await startSearch({
      environment: { PLATFORM_DATA_API_KEY: 'any-key' },
      limits: { dataApiUnitsPerDay: 9, freeDataApiUnitsPerDay: 3 },
    });
    const as = (tier: 'free' | 'paid') => ({ keyId: randomUUID(), accountId: randomUUID(), tier });
    const list = (index: number, tier: 'free' | 'paid') =>
      codeOf(own.list(channel(index).id, { contents: 'shorts', ...as(tier) }));
    for (const index of [0, 1, 2]) expect(await list(index, 'free')).toBe('answered');
    expect(await list(3, 'free')).toBe('data_api_unit_cap');
    expect(await codeOf(own.resolve(['manualEn001'], as('free')))).toBe('data_api_unit_cap');
    // Even a listing that the free account could not pay for.
    for (const index of [3, 4, 5]) expect(await list(index, 'paid')).toBe('answered');
    own.clock.set('2026-11-21T00:00:01.000Z');
    expect(await list(6, 'free')).toBe('answered');
    await own.stop();
  });

  it('a paid account uses its own units in a listing it joined that a free account could not finish', async () => {
    const own = await startSearch({
      environment: { PLATFORM_DATA_API_KEY: 'any-key' },
      limits: { freeDataApiUnitsPerDay: 20 },
    });
    const list = (tier: 'free' | 'paid', waitMs: number) =>
      own.list(giantChannel.id, {
        keyId: randomUUID(),
        accountId: randomUUID(),
        tier,
        offset: 5_000,
        waitMs,
      });
    const free = codeOf(list('free', 25_000));
    await eventually(() => expect(own.simulator.requests().byEndpoint.data_api).toBeGreaterThan(0));
    expect(await codeOf(list('paid', 25_000))).toBe('answered');
    expect(await free).toBe('data_api_unit_cap');
    await own.stop();
  });
});
