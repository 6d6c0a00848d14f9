import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { channelAt } from '@tds/simulators/platform';
import { channelVideoIds } from '@tds/simulators/platform/testing';
import { doomedProcesses, eventually } from '@tds/test-kit';
import { shownPage, startSearch, type TestSearch } from './test-support/start-search.ts';

const program = path.resolve(import.meta.dirname, 'main.ts');

let search: TestSearch;
const doomed = doomedProcesses(program, () => ({
  ...search.harness.environmentOf('search'),
  ...search.environment,
}));
beforeAll(async () => {
  search = await startSearch({ limits: { searchAbandonedMs: 100 }, timeoutMs: 8_000 });
});
afterAll(async () => {
  doomed.stop();
  await search?.stop();
});
afterEach(() => search.simulator.setLatency(0));

describe('a search with a killed process', () => {
  it.each(['search-page-fetched', 'search-page-saved', 'search-settled', 'search-delivered'])(
    'at %s ends without a page and a charge, or with the page charged once',
    async (crashAt) => {
      await search.stopService();
      const words = `killed ${randomUUID()}`;
      const requestIds: string[] = [];
      await doomed.dieAt(`${crashAt}:search-page`, () => {
        const requestId = randomUUID();
        requestIds.push(requestId);
        return search.find(words, { requestId });
      });
      // The dead process had the real clock.
      search.clock.set(new Date(Date.now() + 2_000));
      await search.startService();
      const isDelivered = crashAt === 'search-delivered';
      const again = await eventually(() => search.find(words));
      expect(again.results).toHaveLength(20);
      expect(again.creditsCharged).toBe(isDelivered ? 0 : 1);
      const paid = () => requestIds.filter((requestId) => search.ledger.paid(requestId) === 1).length;
      await eventually(() => expect(paid()).toBe(isDelivered ? 1 : 0));
      const open = () => requestIds.filter((id) => search.ledger.held(id).length > 0);
      await eventually(() => expect(open()).toEqual([]));
    },
  );
});

describe('a listing with a process killed between two pages', () => {
  it('continues after the last saved page', async () => {
    await search.stopService();
    const channel = channelAt(20, 1)!;
    await doomed.dieAt('listing-page-fetched:make-listing', () => search.list(channel.id, { waitMs: 5_000 }));
    search.clock.set(new Date(Date.now() + 2_000));
    await search.startService();
    const listed = await eventually(async () => shownPage(await search.list(channel.id)));
    expect(listed.videos.map((video) => video.video_id)).toEqual(channelVideoIds(20, 1));
  });
});
