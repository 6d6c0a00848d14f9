import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  channelAt,
  type PlatformSimulator,
  playlistsOf,
  startPlatformSimulator,
} from '@tds/simulators/platform';
import { createDiscovery, type Discovery } from './create-discovery.ts';

const SEED = 1;
let simulator: PlatformSimulator;
let discovery: Discovery;

beforeAll(async () => {
  simulator = await startPlatformSimulator({ seed: SEED });
  // Circuits would let one test's failures affect the next one.
  const limits = { failuresToOpen: Number.MAX_SAFE_INTEGER, headersMs: 2_000, attemptMs: 3_000 };
  discovery = createDiscovery({ origin: simulator.origin, limits });
});
afterEach(() => simulator.faults.clear());
afterAll(async () => {
  await discovery.close();
  await simulator.close();
});

describe('a feed', () => {
  const watched = channelAt(7, SEED)!;
  const watchedUploads = `UU${watched.id.slice(2)}`;
  const [playlist] = playlistsOf(watched, SEED);
  const feedOf = async (sourceId: string) => {
    const seen = await discovery.readFeed(sourceId, {});
    if (seen.outcome !== 'read') throw new Error(seen.outcome);
    return seen.feed;
  };
  const idsOf = async (sourceId: string) => (await feedOf(sourceId)).entries.map(({ id }) => id);

  it('has the newest 15 videos of a channel, like its listing', async () => {
    const { items } = await discovery.listPage(watchedUploads, null, {});
    const { title, channelId, entries } = await feedOf(watched.id);
    expect([title, channelId]).toEqual([watched.title, watched.id]);
    expect(entries.map(({ id, title: own }) => [id, own])).toEqual(
      items.slice(0, 15).map(({ id, title: own }) => [id, own]),
    );
  });

  it('has new uploads; videos beyond 15 remain in the listing', async () => {
    const ids = simulator.upload({ to: watched.id, count: 20 });
    expect(await idsOf(watched.id)).toEqual(ids.slice(0, 15));
    const { items } = await discovery.listPage(watchedUploads, null, {});
    expect(items.slice(0, 20).map(({ id }) => id)).toEqual(ids);
  });

  it('of a playlist has videos added on its top', async () => {
    const [id] = simulator.upload({ to: playlist!.id, upcomingSeconds: 60 });
    expect((await idsOf(playlist!.id))[0]).toBe(id);
  });

  it('that is missing on a bad day differs from an unknown one by the listing', async () => {
    simulator.faults.add({ match: { sourceId: watched.id }, fault: 'not_found' });
    expect(await discovery.readFeed(watched.id, {})).toEqual({ outcome: 'missing' });
    expect(await discovery.readFeed('UCabcdefghijklmnopqrstuv', {})).toEqual({ outcome: 'missing' });
    expect((await discovery.listPage(watchedUploads, null, {})).items).not.toEqual([]);
    await expect(discovery.listPage('UUabcdefghijklmnopqrstuv', null, {})).rejects.toMatchObject({
      code: 'source_not_found',
    });
  });

  it.each([
    ...([
      'server_error',
      'hostile_xml',
      'truncated_json',
      'truncated_gzip',
      'garbage',
      'html',
      'empty',
    ] as const),
    ...(['hang', 'slow_drip', 'endless_body', 'reset', 'redirect_metadata', 'too_many_requests'] as const),
  ])('under %s fails as retryable, and is neither missing nor empty', async (fault) => {
    simulator.faults.add({ match: { sourceId: watched.id }, fault });
    expect(await discovery.readFeed(watched.id, {})).toMatchObject({
      outcome: 'failed',
      error: { wasAsked: true, data: { retryable: true } },
    });
  });
});
