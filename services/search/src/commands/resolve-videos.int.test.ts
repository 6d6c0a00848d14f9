import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { channelAt, loadVideoId } from '@tds/simulators/platform';
import { channelVideoIds } from '@tds/simulators/platform/testing';
import { codeOf, eventually } from '@tds/test-kit';
import { shownPage, startSearch, type TestSearch } from '../test-support/start-search.ts';

const DAY_MS = 86_400_000;

describe.each([
  ['the platform’s players', {}],
  ['the Data API', { PLATFORM_DATA_API_KEY: 'any-key' }],
])('a resolved list over %s', (_, environment) => {
  let search: TestSearch;
  beforeAll(async () => {
    search = await startSearch({ environment });
  });
  afterAll(() => search?.stop());
  afterEach(() => {
    search.simulator.faults.clear();
    search.simulator.resetRequests();
  });

  it('has the available videos, in order and once; the rest is not found', async () => {
    const asked = ['manualEn001', 'private_001', loadVideoId(7), 'AAAAAAAAAAA', 'manualEn001'];
    const { found, notFound, list } = await search.resolve(asked);
    expect(found.map((video) => video.video_id)).toEqual(['manualEn001', loadVideoId(7)]);
    expect(found[0]).toMatchObject({
      title: expect.any(String),
      duration: expect.any(Number),
      cached: false,
    });
    expect(notFound).toEqual(['private_001', 'AAAAAAAAAAA']);
    expect(list).toMatch(/^list:[\w-]{22}$/);
  });

  it('has the same key for the same videos, and is listed by it', async () => {
    const ids = [loadVideoId(2), loadVideoId(1)];
    const [first, second] = [await search.resolve(ids), await search.resolve([...ids, 'deleted_001'])];
    expect(second.list).toBe(first.list);
    const page = shownPage(await search.list(first.list!));
    expect(page.videos.map((video) => video.video_id)).toEqual(ids);
    expect(page).toMatchObject({ total: 2, next_offset: null, source: { kind: 'list' } });
  });

  it('without available videos has no key', async () => {
    expect(await search.resolve(['private_001'])).toMatchObject({ found: [], list: null });
  });

  it('of videos from a listing needs no lookup for a day', async () => {
    await search.list(channelAt(11, 1)!.id);
    search.simulator.resetRequests();
    const subset = channelVideoIds(11, 1).slice(3, 9);
    expect((await search.resolve(subset)).found.map((video) => video.video_id)).toEqual(subset);
    expect(search.simulator.requests().total).toBe(0);
    search.clock.advance(DAY_MS + 1);
    await search.resolve(subset);
    expect(search.simulator.requests().total).toBeGreaterThan(0);
  });

  it('has the known videos if the platform fails, and names the others', async () => {
    const [known, ...others] = [30, 31, 32].map(loadVideoId) as [string, string, string];
    await search.resolve([known]);
    for (const endpoint of ['player', 'data_api'] as const)
      search.simulator.faults.add({ match: { endpoint }, fault: 'too_many_requests' });
    const troubled = await search.resolve([known, ...others]);
    expect(troubled.found.map((video) => video.video_id)).toEqual([known]);
    expect(troubled).toMatchObject({ notFound: [], unanswered: others });
    search.simulator.faults.clear();
  });

  it('takes 500 videos at once', async () => {
    const ids = Array.from({ length: 500 }, (_id, index) => loadVideoId(1_000 + index));
    let lookedUp = 500;
    // What a busy machine answers too late is named, and only that is looked up again.
    await eventually(async () => {
      const { found, unanswered } = await search.resolve(ids);
      expect(found.length + unanswered.length).toBe(500);
      lookedUp += unanswered.length;
      expect(unanswered).toEqual([]);
    });
    const asked = search.simulator.requests().byEndpoint;
    const lookUps = lookedUp / ('PLATFORM_DATA_API_KEY' in environment ? 50 : 1);
    expect(asked.data_api ?? asked.player ?? 0).toBeLessThan(2 * lookUps);
  });
});

describe('a text with broken videos', () => {
  let search: TestSearch;
  afterEach(() => search?.stop());
  const strange = ['oddStatus01', 'wrongVideo1', 'captcha_001', 'tryLater_01', 'truncJson01', 'error500_01'];

  it('resolves the others, however many are broken, and can be sent again', async () => {
    search = await startSearch();
    const healthy = Array.from({ length: 40 }, (_, index) => loadVideoId(2_000 + index));
    const ids = healthy.flatMap((id, at) => [id, ...strange.slice(at, at + 1)]);
    for (let turn = 0; turn < 2; turn += 1) {
      // A busy machine may answer some of the others too late: these are named, and asked again.
      await eventually(async () => {
        const { found, notFound, unanswered } = await search.resolve(ids);
        expect(found.map((video) => video.video_id)).toEqual(healthy);
        expect([...notFound, ...unanswered].toSorted()).toEqual(strange.toSorted());
        expect(unanswered.length).toBeGreaterThan(0);
      });
    }
  });

  it('does not affect others: three accounts send one each, and the next account gets its video at once', async () => {
    search = await startSearch();
    await search.resolve([loadVideoId(2_050)]);
    for (const id of ['botCheck_01', 'captcha_001', 'tryLater_01'])
      await search.resolve([id], { accountId: randomUUID() }).catch(() => undefined);
    const { found } = await search.resolve([loadVideoId(2_051)], { accountId: randomUUID() });
    expect(found).toHaveLength(1);
  });

  it('has the videos answered in time if the platform is slow; a repeat continues from there', async () => {
    search = await startSearch({ limits: { lookUpMs: 5_000 } });
    const ids = Array.from({ length: 80 }, (_, index) => loadVideoId(2_100 + index));
    for (const videoId of ids.slice(40))
      search.simulator.faults.add({ match: { videoId }, fault: 'slow', latencyMs: 60_000 });
    const first = await search.resolve(ids);
    expect(first.found.length).toBeGreaterThan(0);
    expect(first.unanswered).toEqual(expect.arrayContaining(ids.slice(40)));
    expect(first.found.length + first.unanswered.length).toBe(80);
    search.simulator.faults.clear();
    // What answered too late before may do so again on a busy machine.
    await eventually(async () =>
      expect(await search.resolve(ids)).toMatchObject({ unanswered: [], notFound: [] }),
    );
  });
});

it('an account has a daily limit of lookups, beyond which known videos are answered; other accounts are not affected', async () => {
  const search = await startSearch({ limits: { lookUpsPerDay: (tier) => (tier === 'free' ? 4 : 6) } });
  const [ids, more] = [[1, 2, 3].map(loadVideoId), [4, 5].map(loadVideoId)];
  await search.resolve(ids);
  expect(await codeOf(search.resolve(more))).toBe('look_up_cap');
  expect(search.simulator.requests().byVideo[String(more[0])]).toBeUndefined();
  expect((await search.resolve(ids)).found).toHaveLength(3);
  expect((await search.resolve([String(more[0]), ...ids])).found).toHaveLength(4);
  expect(await codeOf(search.resolve([String(more[1])], { accountId: randomUUID() }))).toBe('answered');
  expect(await codeOf(search.resolve([loadVideoId(6), loadVideoId(7)], { tier: 'paid' }))).toBe('answered');
  expect(await codeOf(search.resolve([loadVideoId(8)], { tier: 'paid' }))).toBe('look_up_cap');
  search.clock.advance(DAY_MS);
  expect(await codeOf(search.resolve([loadVideoId(9)]))).toBe('answered');
  await search.stop();
});

it('free accounts share a pool of look-ups that cost requests, and none has more than a fifth of it', async () => {
  const search = await startSearch({ limits: { freeLookUpsPerDay: 10 } });
  let videos = 9_000;
  const resolve = (count: number, given: { accountId?: string; tier?: 'free' | 'paid' } = {}) =>
    codeOf(
      search.resolve(
        Array.from({ length: count }, () => loadVideoId(++videos)),
        given,
      ),
    );
  expect(await resolve(3)).toBe('look_up_cap');
  expect(await resolve(2)).toBe('answered');
  expect(await resolve(1)).toBe('look_up_cap');
  for (let others = 0; others < 4; others += 1)
    expect(await resolve(2, { accountId: randomUUID() })).toBe('answered');
  search.simulator.resetRequests();
  expect(await resolve(1, { accountId: randomUUID() })).toBe('free_pool_cap');
  expect(search.simulator.requests().total).toBe(0);
  expect(await resolve(3, { accountId: randomUUID(), tier: 'paid' })).toBe('answered');
  search.clock.advance(DAY_MS);
  expect(await resolve(2)).toBe('answered');
  await search.stop();
});

describe('new lists of an account', () => {
  it('have a daily limit, beyond which known lists are answered; other accounts are not affected', async () => {
    const search = await startSearch({ limits: { listsPerDay: 3 } });
    const videos = channelVideoIds(11, 1).slice(0, 5);
    await search.list(channelAt(11, 1)!.id);
    const resolve = (first: number, accountId = search.account) =>
      search.resolve([...videos.slice(first), ...videos.slice(0, first)], { accountId });
    const lists = [];
    for (const first of [0, 1, 2, 1, 0]) lists.push((await resolve(first)).list);
    expect(new Set(lists).size).toBe(3);
    expect(await codeOf(resolve(3))).toBe('list_cap');
    expect((await resolve(2)).list).toBe(lists[2]);
    expect((await resolve(3, randomUUID())).list).toMatch(/^list:/);
    expect(await codeOf(resolve(3))).toBe('answered');
    search.clock.advance(DAY_MS);
    expect(await codeOf(resolve(4))).toBe('answered');
    await search.stop();
  });
});
