import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { loadVideoId } from '@tds/simulators/platform';
import { startSearch, type TestSearch } from '../test-support/start-search.ts';

const withKey = { PLATFORM_DATA_API_KEY: 'any-key' };
const videos = (count: number, first = 1) => Array.from({ length: count }, (_, n) => loadVideoId(first + n));
let search: TestSearch | undefined;
afterEach(() => search?.stop());
const start = async (...options: Parameters<typeof startSearch>): Promise<TestSearch> => {
  search = await startSearch(...options);
  return search;
};
const asked = () => search?.simulator.requests().byEndpoint ?? {};

describe('publish dates', () => {
  it('are asked of the Data API fifty at a time, and once', async () => {
    const own = await start({ environment: withKey });
    const ids = videos(120);
    const { dates } = await own.dates([...ids, 'private_001']);
    expect(Object.keys(dates).toSorted()).toEqual(ids.toSorted());
    expect(new Set(Object.values(dates).map((day) => day.length))).toEqual(new Set(['YYYY-MM-DD'.length]));
    expect(asked()).toMatchObject({ data_api: 3 });
    expect(await own.dates(ids)).toEqual({ dates });
    expect(asked()).toMatchObject({ data_api: 3 });
  });

  it('without a key are those that are known, and the platform is not asked', async () => {
    const own = await start();
    const [known = '', unknown = ''] = videos(2, 500);
    await own.resolve([known]);
    own.simulator.resetRequests();
    const { dates } = await own.dates([known, unknown]);
    expect(Object.keys(dates)).toEqual((await own.resolve([known])).found[0]?.published_at ? [known] : []);
    expect(asked()).toEqual({});
  });

  it('leave half of the units to listings, and miss none that are known if the Data API fails', async () => {
    const own = await start({ environment: withKey, limits: { dataApiUnitsPerAccount: 4 } });
    const accountId = randomUUID();
    const [first, second, third] = [videos(50), videos(50, 100), videos(50, 200)];
    for (const ids of [first, second]) await own.dates(ids, { accountId });
    expect((await own.dates([...first, ...third], { accountId })).dates).toEqual(
      (await own.dates(first, { accountId })).dates,
    );
    expect(asked()).toMatchObject({ data_api: 2 });
    own.simulator.faults.add({ match: { endpoint: 'data_api' }, fault: 'server_error' });
    expect(Object.keys((await own.dates([...first, ...third])).dates)).toHaveLength(50);
  });
});
