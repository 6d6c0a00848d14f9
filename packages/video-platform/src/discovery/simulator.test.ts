import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  channelAt,
  giantChannel,
  MIXED_PLAYLIST_ID,
  type PlatformSimulator,
  playlistsOf,
  startPlatformSimulator,
  WORD_OF_NOTHING,
} from '@tds/simulators/platform';
import { channelVideoIds } from '@tds/simulators/platform/testing';
import { createDiscovery, type Discovery } from './create-discovery.ts';
import { createDataApi, type DataApi } from './data-api.ts';
import type { ListedVideo, Page, SearchItem, SearchQuery } from './types.ts';

const SEED = 1;
const channel = channelAt(3, SEED)!;
const uploads = `UU${channel.id.slice(2)}`;
const everywhere: SearchQuery = { query: 'a talk', type: 'video', channelId: null };

let simulator: PlatformSimulator;
let discovery: Discovery;
let dataApi: DataApi;

beforeAll(async () => {
  simulator = await startPlatformSimulator({ seed: SEED });
  // Circuits would let one test's failures affect the next one.
  const limits = { failuresToOpen: Number.MAX_SAFE_INTEGER, headersMs: 2_000, attemptMs: 3_000 };
  discovery = createDiscovery({ origin: simulator.origin, limits });
  dataApi = createDataApi({ origin: simulator.origin, key: 'any', limits });
});
afterEach(() => simulator.faults.clear());
afterAll(async () => {
  await Promise.all([discovery.close(), dataApi.close()]);
  await simulator.close();
});

type Lister = (id: string, token: string | null) => Promise<Page<ListedVideo>>;
const listers: readonly (readonly [string, Lister])[] = [
  ['pages of the web client', (id, token) => discovery.listPage(id, token, {})],
  ['the Data API', (id, token) => dataApi.listPage(id, token, {})],
];

const pagesOf = async (list: Lister, id: string): Promise<Page<ListedVideo>[]> => {
  const pages = [await list(id, null)];
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
    pages.push(await list(id, next));
  }
  return pages;
};

describe.each(listers)('a listing over %s', (_, list) => {
  it('has every upload of a channel once, in order', async () => {
    const pages = await pagesOf(list, uploads);
    const ids = pages.flatMap((page) => page.items.map(({ id }) => id));
    expect(ids).toEqual(channelVideoIds(3, SEED));
  });

  it('splits uploads into Shorts and other videos', async () => {
    const suffix = channel.id.slice(2);
    const parts = await Promise.all(['UUSH', 'UULF'].map((prefix) => pagesOf(list, prefix + suffix)));
    const ids = parts.flat().flatMap((page) => page.items.map(({ id }) => id));
    expect(ids.toSorted()).toEqual(channelVideoIds(3, SEED).toSorted());
  });

  it('continues after pages that lack videos or have none', async () => {
    const pages = await pagesOf(list, MIXED_PLAYLIST_ID);
    expect(pages.map((page) => page.items.length)).toContain(0);
    expect(pages.flatMap((page) => page.items)).toHaveLength(298);
  });

  it('of an unknown playlist is not found', async () => {
    await expect(list('PLabcdefghijklmnop', null)).rejects.toMatchObject({ code: 'source_not_found' });
  });

  it.each(['hang', 'garbage', 'server_error', 'truncated_json', 'reset', 'html', 'redirect_metadata'] as const)(
    'under %s fails as retryable, and is no empty list',
    async (fault) => {
      simulator.faults.add({ match: { endpoint: 'browse' }, fault });
      simulator.faults.add({ match: { endpoint: 'data_api' }, fault });
      await expect(list(uploads, null)).rejects.toMatchObject({
        code: 'upstream_error',
        data: { retryable: true },
      });
    },
  );
});

describe('the Data API', () => {
  it('leaves unavailable videos out of a look-up', async () => {
    const found = await dataApi.lookUpVideos(['manualEn001', 'private_001', 'AAAAAAAAAAA'], {});
    expect(found.map(({ id, durationSeconds }) => [id, durationSeconds])).toEqual([
      ['manualEn001', expect.any(Number)],
    ]);
  });

  it('reports when the quota of the platform refills', async () => {
    simulator.faults.add({ fault: 'quota_exceeded' });
    await expect(dataApi.listPage(uploads, null, {})).rejects.toMatchObject({
      code: 'data_api_unit_cap',
      data: { retryAfterSeconds: expect.any(Number) },
    });
  });

  it('blames us for a rejected key, not the list', async () => {
    const stranger = createDataApi({ origin: simulator.origin, key: '' });
    await expect(stranger.listPage(uploads, null, {})).rejects.toMatchObject({ code: 'upstream_error' });
    await stranger.close();
  });
});

describe('the name of a channel', () => {
  it.each([channel.handle, 'c/Simulated03', 'Simulated03'])('%s leads to its id', async (name) => {
    expect(await discovery.resolveChannel(name, {})).toBe(channel.id);
  });

  it('that is unknown is not found; a failing platform says nothing about it', async () => {
    await expect(discovery.resolveChannel('@missing-name', {})).rejects.toMatchObject({
      code: 'source_not_found',
    });
    simulator.faults.add({ match: { endpoint: 'resolve_url' }, fault: 'too_many_requests' });
    await expect(discovery.resolveChannel(channel.handle, {})).rejects.toMatchObject({ code: 'ip_blocked' });
  });
});

const walk = async (asked: SearchQuery): Promise<Page<SearchItem>[]> => {
  const pages = [await discovery.search(asked, null, {})];
  for (let next = pages[0]?.next ?? null; next !== null; next = pages.at(-1)?.next ?? null) {
    pages.push(await discovery.search(asked, next, {}));
  }
  return pages;
};

describe('the look-up of a video', () => {
  it.each(['manualEn001', 'noCaptions1', 'upcoming_01', 'visionNope1', 'liveNow_001'])(
    'finds %s',
    async (id) => {
      expect(await discovery.lookUpVideo(id, {})).toMatchObject({ id });
    },
  );

  it('shows when an upcoming one is out', async () => {
    const broadcast = async (id: string) => (await discovery.lookUpVideo(id, {}))?.broadcast;
    const [id = ''] = simulator.upload({ to: channelAt(9, SEED)!.id, upcomingSeconds: 3_600 });
    expect(await broadcast(id)).toBe('upcoming');
    simulator.release(id);
    expect([await broadcast(id), await broadcast('liveNow_001')]).toEqual(['none', 'live']);
  });

  it('shows that a private one is hidden: it may be published later', async () => {
    expect(await discovery.lookUpVideo('private_001', {})).toMatchObject({ broadcast: 'hidden' });
  });

  it.each(['deleted_001', 'terminated1', 'AAAAAAAAAAA'])('returns null for %s', async (id) => {
    expect(await discovery.lookUpVideo(id, {})).toBeNull();
  });

  it.each(['botCheck_01', 'sorry429_01', 'truncJson01'])(
    'never takes a failure of the route for a fact: %s',
    async (id) => {
      await expect(discovery.lookUpVideo(id, {})).rejects.toMatchObject({ data: { retryable: true } });
    },
  );
});

describe('a search', () => {
  it('has results of its pages only: none of shelves, none malformed, none twice', async () => {
    const pages = await walk(everywhere);
    const ids = pages.flatMap((page) => page.items.map(({ id }) => id));
    expect(pages.length).toBeGreaterThan(3);
    expect(new Set(ids).size).toBe(ids.length);
    expect(pages[0]?.items).toHaveLength(20);
    expect(pages[0]?.omitted).toBe(1);
  });

  it.each(['channel', 'playlist'] as const)('for %ss has nothing else', async (type) => {
    const { items } = await discovery.search({ ...everywhere, type }, null, {});
    expect(items).toHaveLength(20);
    expect(new Set(items.map((item) => item.type))).toEqual(new Set([type]));
  });

  it('inside a channel has the videos of this channel, on every page', async () => {
    const pages = await walk({ ...everywhere, channelId: giantChannel.id });
    const ids = pages.flatMap((page) => page.items.map(({ id }) => id));
    expect(pages.length).toBeGreaterThan(1);
    expect(ids.filter((id) => !id.startsWith('giant'))).toEqual([]);
  });

  it('for words without results is an empty last page', async () => {
    expect(await discovery.search({ ...everywhere, query: WORD_OF_NOTHING }, null, {})).toMatchObject({
      items: [],
      next: null,
    });
  });

  it('inside a deleted channel is not found', async () => {
    const gone = { ...everywhere, channelId: 'UCabcdefghijklmnopqrstuv' };
    await expect(discovery.search(gone, null, {})).rejects.toMatchObject({ code: 'source_not_found' });
  });

  it('ends with its caller', async () => {
    simulator.faults.add({ match: { endpoint: 'search' }, fault: 'hang' });
    const caller = new AbortController();
    const ended = expect(discovery.search(everywhere, null, { signal: caller.signal })).rejects.toMatchObject({
      code: 'upstream_error',
    });
    caller.abort();
    await ended;
  });

  it('keeps the consent cookie', async () => {
    simulator.faults.add({ match: { endpoint: 'search' }, fault: 'consent' });
    expect((await discovery.search(everywhere, null, {})).items).toHaveLength(20);
  });
});

it('a simulated playlist matches its catalogue', async () => {
  const [playlist] = playlistsOf(channel, SEED);
  const pages = await pagesOf((id, token) => discovery.listPage(id, token, {}), playlist!.id);
  expect(pages.flatMap((page) => page.items)).toHaveLength(playlist!.videoCount);
});
