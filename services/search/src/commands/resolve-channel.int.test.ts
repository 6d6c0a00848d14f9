import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CHANNEL_RESOLUTIONS_PER_DAY } from '@tds/contracts';
import { channelAt } from '@tds/simulators/platform';
import { codeOf } from '@tds/test-kit';
import { startSearch, type TestSearch } from '../test-support/start-search.ts';

const { id, handle } = channelAt(4, 1)!;
const HOUR_MS = 3_600_000;

let search: TestSearch;
beforeAll(async () => {
  search = await startSearch();
});
afterAll(() => search?.stop());
afterEach(() => search.simulator.resetRequests());

const asks = () => search.simulator.requests().byEndpoint.resolve_url ?? 0;
const AT_ONCE = 20;
const useUp = async (accountId: string) => {
  for (let count = 0; count < CHANNEL_RESOLUTIONS_PER_DAY; count += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => search.resolveChannel(handle, accountId)));
};

describe('the channel of a monitor', () => {
  it('is found by its handle, with one request for all callers', async () => {
    expect(await search.resolveChannel(handle)).toEqual({ channelId: id });
    expect(await search.resolveChannel(handle.toUpperCase(), randomUUID())).toEqual({ channelId: id });
    expect(asks()).toBe(1);
  });

  it.each([id, `https://www.youtube.com/channel/${id}`])(
    'is known by its id, without a request: %s',
    async (given) => {
      expect(await search.resolveChannel(given)).toEqual({ channelId: id });
      expect(asks()).toBe(0);
    },
  );

  it('that does not exist is requested once in 24 hours', async () => {
    const ask = () => codeOf(search.resolveChannel('@missing-name'));
    expect(await ask()).toBe('source_not_found');
    search.clock.advance(23 * HOUR_MS);
    expect(await ask()).toBe('source_not_found');
    expect(asks()).toBe(1);
    search.clock.advance(2 * HOUR_MS);
    await ask();
    expect(asks()).toBe(2);
  });

  it.each([
    'https://youtu.be/dQw4w9WgXcQ',
    'https://example.com/@name',
    'https://www.youtube.com/playlist?list=PL1234567890',
  ])('cannot be %j', async (given) => {
    expect(await codeOf(search.resolveChannel(given))).toMatch(/^invalid_/);
  });

  it('counts towards its account’s day, cached or not; ids do not count, and other accounts are not affected', async () => {
    const accountId = randomUUID();
    await useUp(accountId);
    expect(asks()).toBeLessThanOrEqual(1);
    expect(await codeOf(search.resolveChannel(handle, accountId))).toBe('channel_resolution_cap');
    expect(await codeOf(search.resolveChannel(id, accountId))).toBe('answered');
    expect(await codeOf(search.resolveChannel(handle, randomUUID()))).toBe('answered');
    search.clock.advance(24 * HOUR_MS);
    expect(await codeOf(search.resolveChannel(handle, accountId))).toBe('answered');
  });
});
