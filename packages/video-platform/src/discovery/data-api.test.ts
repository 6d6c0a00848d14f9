import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  channelAt,
  type PlatformSimulator,
  playlistsOf,
  startPlatformSimulator,
} from '@tds/simulators/platform';
import { createDataApi, type DataApi } from './data-api.ts';

const SEED = 1;
/** 04:00 of the platform's clock. */
const NOON = Date.parse('2026-06-01T11:00:00Z');
const SECONDS_TO_PACIFIC_MIDNIGHT = 20 * 3_600;
const lists = [1, 2, 3, 4].flatMap((index) => playlistsOf(channelAt(index, SEED)!, SEED)).map(({ id }) => id);
const good = lists[0]!;

let simulator: PlatformSimulator;
let api: DataApi;
let nowMs: number;
let units: number;
let refusal: Error | null;
beforeAll(async () => {
  simulator = await startPlatformSimulator({ seed: SEED });
});
afterAll(() => simulator?.close());
const open = () => {
  [nowMs, units, refusal] = [NOON, 0, null];
  simulator.resetRequests();
  api = createDataApi({
    ...{ origin: simulator.origin, key: 'any', clock: () => new Date(nowMs) },
    takeUnit: async () => {
      if (refusal !== null) throw refusal;
      units += 1;
    },
  });
};
afterEach(async () => {
  simulator.faults.clear();
  await api.close();
});

const asked = () => simulator.requests().byEndpoint.data_api ?? 0;
const list = (id: string) => api.listPage(id, null, { callerId: id });
const failWith = async (fault: 'server_error' | 'quota_exceeded' | 'garbage', ids: readonly string[]) => {
  simulator.faults.add({ match: { endpoint: 'data_api' }, fault });
  for (const id of ids) await expect(list(id)).rejects.toMatchObject({ wasAsked: true });
  simulator.faults.clear();
};

describe('the circuit around the Data API', () => {
  it('opens after failures with different lists: then no request is sent, no unit taken, and the error has the wait', async () => {
    open();
    await failWith('server_error', lists.slice(0, 3));
    await expect(list(good)).rejects.toMatchObject({
      ...{ code: 'upstream_error', wasAsked: false },
      data: { retryable: true, retryAfterSeconds: 1 },
    });
    expect([units, asked()]).toEqual([3, 3]);
  });

  it('closes after one successful probe', async () => {
    open();
    await failWith('server_error', lists.slice(0, 3));
    nowMs += 1_000;
    expect((await list(good)).items).not.toHaveLength(0);
    expect((await list(lists[1]!)).items).not.toHaveLength(0);
    expect(units).toBe(5);
  });

  it('prevents requests while the quota is spent, and the error says when it refills', async () => {
    open();
    await failWith('quota_exceeded', lists.slice(0, 3));
    await expect(list(good)).rejects.toMatchObject({
      ...{ code: 'data_api_unit_cap', wasAsked: false },
      data: { retryAfterSeconds: SECONDS_TO_PACIFIC_MIDNIGHT },
    });
    expect(asked()).toBe(3);
  });

  it('is not opened by one list, by odd lists of one caller, or by deleted lists', async () => {
    open();
    await failWith(
      'server_error',
      Array.from({ length: 6 }, () => good),
    );
    simulator.faults.add({ match: { endpoint: 'data_api' }, fault: 'garbage' });
    for (const id of lists) {
      await expect(api.listPage(id, null, { callerId: 'one' })).rejects.toMatchObject({ wasAsked: true });
    }
    simulator.faults.clear();
    for (const id of ['PLa', 'PLb', 'PLc', 'PLd'].map((start) => start.padEnd(18, 'x'))) {
      await expect(list(id)).rejects.toMatchObject({ code: 'source_not_found' });
    }
    expect((await list(good)).items).not.toHaveLength(0);
  });

  it('sends nothing if no unit is left, which is not a failure of the route', async () => {
    open();
    refusal = new Error('no unit');
    for (const id of lists) await expect(list(id)).rejects.toBe(refusal);
    expect(asked()).toBe(0);
    refusal = null;
    expect((await list(good)).items).not.toHaveLength(0);
  });

  it('is not opened by cancelled calls', async () => {
    open();
    simulator.faults.add({ match: { endpoint: 'data_api' }, fault: 'hang' });
    for (const id of lists.slice(0, 4)) {
      const signal = AbortSignal.abort();
      await expect(api.listPage(id, null, { signal })).rejects.toMatchObject({ code: 'upstream_error' });
    }
    simulator.faults.clear();
    expect((await list(good)).items).not.toHaveLength(0);
  });
});
