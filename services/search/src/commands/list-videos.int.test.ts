import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  channelAt,
  giantChannel,
  giantVideoId,
  MIXED_PLAYLIST_ID,
  playlistsOf,
} from '@tds/simulators/platform';
import { channelVideoIds } from '@tds/simulators/platform/testing';
import { codeOf, eventually } from '@tds/test-kit';
import { shownPage, startSearch, type TestSearch } from '../test-support/start-search.ts';

const SEED = 1;
const HOUR_MS = 3_600_000;
const channel = (index: number) => channelAt(index, SEED)!;
const idsOf = (page: ReturnType<typeof shownPage>) => page.videos.map((video) => video.video_id);

describe.each([
  ['the platform’s pages', {}],
  ['the Data API', { PLATFORM_DATA_API_KEY: 'any-key' }],
])('a listing over %s', (_, environment) => {
  let search: TestSearch;
  beforeAll(async () => {
    search = await startSearch({ environment });
  });
  afterAll(() => search?.stop());
  afterEach(() => {
    search.simulator.faults.clear();
    search.simulator.resetRequests();
  });

  it('has all uploads of a channel in order, and shows which are cached, their dates, and which are Shorts', async () => {
    const ids = channelVideoIds(1, SEED);
    search.cachedVideos.set(ids[0]!, '2026-03-01');
    const page = shownPage(await search.list(channel(1).handle));
    expect(idsOf(page)).toEqual(ids);
    expect(page.videos.map((video) => video.position)).toEqual(ids.map((_id, index) => index));
    expect(page.videos.map((video) => video.is_short)).toEqual(ids.map((_id, index) => index % 6 === 5));
    expect(page.videos[0]?.published_at).toBe('2026-03-01');
    expect(page.counts).toEqual({ listed: ids.length, cold: ids.length - 1 });
    expect(page).toMatchObject({
      total: ids.length,
      next_offset: null,
      source: { kind: 'channel', id: channel(1).id },
    });
  });

  it('without Shorts and of Shorts only are its two parts', async () => {
    const [videos, shorts] = await Promise.all(
      (['videos', 'shorts'] as const).map(async (contents) =>
        shownPage(await search.list(channel(2).id, { contents })),
      ),
    );
    expect([...idsOf(videos!), ...idsOf(shorts!)].toSorted()).toEqual(channelVideoIds(2, SEED).toSorted());
    expect(videos?.videos.some((video) => video.is_short)).toBe(false);
    expect(shorts?.videos.every((video) => video.is_short)).toBe(true);
  });

  it('of broadcasts is empty for a channel without any, and refused for a playlist', async () => {
    const contents = 'streams' as const;
    expect(shownPage(await search.list(channel(2).id, { contents }))).toMatchObject({ total: 0, videos: [] });
    const [playlist] = playlistsOf(channel(4), SEED);
    expect(await codeOf(search.list(playlist!.id, { contents }))).toBe('invalid_contents');
  });

  it('continues after pages that lack videos or are empty', async () => {
    expect(shownPage(await search.list(MIXED_PLAYLIST_ID))).toMatchObject({ total: 298, next_offset: null });
  });

  it('of a playlist has its videos', async () => {
    const [playlist] = playlistsOf(channel(4), SEED);
    const page = shownPage(await search.list(`https://www.youtube.com/playlist?list=${playlist!.id}`));
    expect(page).toMatchObject({
      total: playlist!.videoCount,
      source: { kind: 'playlist', id: playlist!.id },
    });
  });

  it('that is fresh is the same for every account, without a request to the platform', async () => {
    await search.list(channel(5).id);
    search.simulator.resetRequests();
    const page = shownPage(await search.list(channel(5).id, { accountId: randomUUID(), keyId: randomUUID() }));
    expect(idsOf(page)).toEqual(channelVideoIds(5, SEED));
    expect(search.simulator.requests().total).toBe(0);
  });

  it('is made once for all concurrent callers', async () => {
    await search.list(channel(6).id);
    const { total } = search.simulator.requests();
    search.simulator.resetRequests();
    const pages = await Promise.all(
      Array.from({ length: 8 }, () => search.list(channel(7).id, { keyId: randomUUID() })),
    );
    expect(new Set(pages.map((page) => JSON.stringify(idsOf(shownPage(page)))))).toHaveProperty('size', 1);
    // Another channel of about the same size.
    expect(search.simulator.requests().total).toBeLessThan(2 * total + 6);
  });

  it('of a missing source is not found, and not requested again at once', async () => {
    expect(await codeOf(search.list('PLabcdefghijklmnop'))).toBe('source_not_found');
    search.simulator.resetRequests();
    expect(await codeOf(search.list('PLabcdefghijklmnop'))).toBe('source_not_found');
    expect(search.simulator.requests().total).toBe(0);
  });

  it('survives a short failure of the platform', async () => {
    for (const endpoint of ['browse', 'data_api'] as const)
      search.simulator.faults.add({ match: { endpoint }, fault: 'server_error', times: 1 });
    expect(idsOf(shownPage(await search.list(channel(8).id)))).toEqual(channelVideoIds(8, SEED));
  });

  it('is pending if it takes longer than the caller waits, and continues', async () => {
    search.simulator.setLatency(100);
    const reply = await search.list(channel(9).id, { waitMs: 0 });
    expect(reply).toEqual({ state: 'pending' });
    expect(idsOf(shownPage(await search.list(channel(9).id)))).toEqual(channelVideoIds(9, SEED));
    search.simulator.setLatency(0);
  });
});

describe('a walk through 20,000 videos', () => {
  let search: TestSearch;
  beforeAll(async () => {
    search = await startSearch();
  });
  afterAll(() => search?.stop());

  it('has its first page before the last is made, and all pages together have each video once', async () => {
    const first = shownPage(await search.list(giantChannel.handle));
    expect(idsOf(first)).toEqual(Array.from({ length: 500 }, (_, index) => giantVideoId(index)));
    const ids: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const reply = await search.list(giantChannel.id, { offset });
      if (reply.state !== 'page') continue;
      ids.push(...idsOf(reply));
      offset = reply.next_offset;
    }
    expect(ids).toHaveLength(20_000);
    expect(new Set(ids).size).toBe(20_000);
  });

  it('keeps its listing even if a newer one is made meanwhile', async () => {
    const before = shownPage(await search.list(giantChannel.id));
    search.clock.advance(2 * HOUR_MS);
    const other = shownPage(await search.list(giantChannel.id, { keyId: randomUUID() }));
    const after = shownPage(await search.list(giantChannel.id, { offset: 500 }));
    expect(other.listed_at).not.toBe(before.listed_at);
    expect(after.listed_at).toBe(before.listed_at);
  });
});

describe('the cost of a listing', () => {
  let search: TestSearch;
  beforeAll(async () => {
    search = await startSearch({
      environment: { PLATFORM_DATA_API_KEY: 'any-key' },
      limits: { dataApiUnitsPerDay: 260 },
    });
  });
  afterAll(() => search?.stop());

  it('is one of 25 cold enumerations a day and key, each input once; warm ones are free', async () => {
    const asked = { keyId: randomUUID() };
    for (let index = 0; index < 25; index += 1)
      await search.list(channel(index).id, { ...asked, contents: 'shorts' });
    expect(await codeOf(search.list(channel(25).id, { ...asked, contents: 'shorts' }))).toBe('enumeration_cap');
    expect(await codeOf(search.list(channel(3).id, { ...asked, contents: 'shorts' }))).toBe('answered');
    search.clock.advance(2 * HOUR_MS);
    expect(await codeOf(search.list(channel(3).id, { ...asked, contents: 'shorts' }))).toBe('answered');
    expect(await codeOf(search.list(channel(25).id, { contents: 'shorts' }))).toBe('answered');
  });

  it('never exceeds the daily units of the Data API, until 00:00 UTC', async () => {
    expect(await codeOf(search.list(giantChannel.id, { keyId: randomUUID() }))).toBe('answered');
    const asked = { keyId: randomUUID(), offset: 19_500 };
    await eventually(async () =>
      expect(await codeOf(search.list(giantChannel.id, asked))).toBe('data_api_unit_cap'),
    );
    expect(search.simulator.requests().byEndpoint.data_api).toBe(260);
    search.clock.set('2026-11-21T00:00:01.000Z');
    expect(await codeOf(search.list(channel(30).id, asked))).toBe('answered');
  });

  it('is one request a day for a name without a channel', async () => {
    expect(await codeOf(search.list('@missing-name'))).toBe('source_not_found');
    search.clock.advance(23 * HOUR_MS);
    expect(await codeOf(search.list('@Missing-Name'))).toBe('source_not_found');
    expect(search.simulator.requests().byEndpoint.resolve_url).toBe(1);
    search.clock.advance(2 * HOUR_MS);
    expect(await codeOf(search.list('@missing-name'))).toBe('source_not_found');
    expect(search.simulator.requests().byEndpoint.resolve_url).toBe(2);
  });

  it.each([
    ['https://youtu.be/dQw4w9WgXcQ', 'single_video'],
    ['https://example.com/', 'bulk_input_required'],
    ['list:never-made-before', 'selection_expired'],
  ])('%s is rejected with %s', async (input, code) => {
    expect(await codeOf(search.list(input))).toBe(code);
  });
});
