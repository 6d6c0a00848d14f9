import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { channelAt, type PlatformSimulator, playlistsOf, startPlatformSimulator } from './index.ts';
import { fetchText, readPlayer } from './test-support/platform-client.ts';

const SEED = 1;
const channel = channelAt(3, SEED)!;
const [playlist] = playlistsOf(channel, SEED);
const NOW = Date.UTC(2026, 10, 22, 12, 30);

let simulator: PlatformSimulator;
let now = NOW;
beforeEach(async () => {
  now = NOW;
  simulator = await startPlatformSimulator({ seed: SEED, now: () => now });
});
afterEach(() => simulator.close());

const feed = (query: string) => fetchText(`${simulator.origin}/feeds/videos.xml?${query}`);
const idsIn = (xml: string) => [...xml.matchAll(/<yt:videoId>(.*?)<\/yt:videoId>/g)].map(([, id]) => id);
const feedIds = async (query: string) => idsIn((await feed(query)).text);
const listIds = async (playlistId: string): Promise<string[]> => {
  const url = `${simulator.origin}/youtube/v3/playlistItems?key=any&maxResults=50&playlistId=${playlistId}`;
  const answer = JSON.parse((await fetchText(url)).text);
  return answer.items.map((item: { contentDetails: { videoId: string } }) => item.contentDetails.videoId);
};
/** Page after page, to the end. */
const allIds = async (playlistId: string, from = ''): Promise<string[]> => {
  const url = `${simulator.origin}/youtube/v3/playlistItems?key=any&maxResults=50&playlistId=${playlistId}`;
  const { items, nextPageToken } = JSON.parse((await fetchText(url + from)).text);
  const ids = items.map((item: { contentDetails: { videoId: string } }) => item.contentDetails.videoId);
  return nextPageToken === undefined
    ? ids
    : [...ids, ...(await allIds(playlistId, `&pageToken=${nextPageToken}`))];
};
const uploadsList = (prefix: string) => `${prefix}${channel.id.slice(2)}`;
const control = async (name: string, ...list: unknown[]) => {
  const sent = { method: 'POST', body: JSON.stringify(list) };
  const { status, text } = await fetchText(`${simulator.origin}/__simulator/${name}`, sent);
  return { status, result: JSON.parse(text).result };
};

describe('a feed', () => {
  it('has the first 15 videos of the list, a channel’s and a playlist’s', async () => {
    expect(await feedIds(`channel_id=${channel.id}`)).toEqual((await listIds(uploadsList('UU'))).slice(0, 15));
    expect(await feedIds(`playlist_id=${playlist!.id}`)).toEqual((await listIds(playlist!.id)).slice(0, 15));
  });

  it('leaves the UC out of the id at the head of a channel’s feed, and nowhere else', async () => {
    const { text } = await feed(`channel_id=${channel.id}`);
    const ids = [...text.matchAll(/<yt:channelId>(.*?)<\/yt:channelId>/g)].map(([, id]) => id);
    expect(ids).toEqual([channel.id.slice(2), ...Array.from({ length: 15 }, () => channel.id)]);
  });

  it('marks Shorts by their address: exactly those of the list of Shorts', async () => {
    const { text } = await feed(`channel_id=${channel.id}`);
    const shorts = [...text.matchAll(/\/shorts\/([\w-]{11})"/g)].map(([, id]) => id!);
    expect(shorts).toEqual((await listIds(uploadsList('UUSH'))).slice(0, shorts.length));
    expect(shorts).toHaveLength(2);
  });

  it.each(['channel_id=UCabcdefghijklmnopqrstuv', 'playlist_id=PLunknown', 'user=Unknown', ''])(
    'of an unknown source (%s) is 404 and a page',
    async (query) => {
      expect(await feed(query)).toMatchObject({ status: 404, text: expect.stringContaining('<html') });
    },
  );
});

describe('uploads on command', () => {
  it('are on top of the feed, of the listings and of the player, and the oldest leave the feed', async () => {
    const before = await listIds(uploadsList('UU'));
    const ids = simulator.upload({ to: channel.handle, count: 20, title: 'A & B' });
    expect(ids).toHaveLength(20);
    expect(await feedIds(`channel_id=${channel.id}`)).toEqual(ids.slice(0, 15));
    expect(await listIds(uploadsList('UU'))).toEqual([...ids, ...before.slice(0, 30)]);
    expect((await feed(`channel_id=${channel.id}`)).text).toContain('<title>A &amp; B 20</title>');
    const answer = await readPlayer(simulator.origin, 'WEB', ids[0]!);
    expect(answer.videoDetails?.title).toBe('A & B 20');
    expect(answer.captions).toBeDefined();
  });

  it('to a playlist are on its top, and its channel’s as well', async () => {
    const [id] = simulator.upload({ to: playlist!.id });
    expect((await feedIds(`playlist_id=${playlist!.id}`))[0]).toBe(id);
    expect((await feedIds(`channel_id=${channel.id}`))[0]).toBe(id);
  });

  it('to the end of a playlist are not in its feed if that holds more, and on top of its channel', async () => {
    const before = await allIds(playlist!.id);
    const [second, first] = simulator.upload({ to: playlist!.id, at: 'end', count: 2 });
    expect(await allIds(playlist!.id)).toEqual([...before, first, second]);
    expect(await feedIds(`playlist_id=${playlist!.id}`)).toEqual(before.slice(0, 15));
    expect((await feedIds(`channel_id=${channel.id}`)).slice(0, 2)).toEqual([second, first]);
  });

  it('are in the list of all and in that of ordinary videos', async () => {
    const [video] = simulator.upload({ to: channel.id });
    expect((await listIds(uploadsList('UU')))[0]).toBe(video);
    expect((await listIds(uploadsList('UULF')))[0]).toBe(video);
    expect(await listIds(uploadsList('UUSH'))).not.toContain(video);
  });

  it('that are upcoming are in the feed before they are out', async () => {
    const [id] = simulator.upload({ to: channel.id, upcomingSeconds: 3_600 });
    const status = async () => {
      const answer = await readPlayer(simulator.origin, 'ANDROID', id!);
      return [answer.playabilityStatus?.status, 'captions' in answer];
    };
    expect((await feedIds(`channel_id=${channel.id}`))[0]).toBe(id);
    expect(await status()).toEqual(['LIVE_STREAM_OFFLINE', false]);
    now += 3_600_000;
    expect(await status()).toEqual(['OK', true]);
  });

  it('are released at once', async () => {
    const [id] = simulator.upload({ to: channel.id, upcomingSeconds: 3_600 });
    expect(simulator.release(id!)).toBe(true);
    expect(simulator.release('manualEn001')).toBe(false);
    expect((await readPlayer(simulator.origin, 'ANDROID', id!)).playabilityStatus?.status).toBe('OK');
  });

  it('that are removed leave feed, lists and player, and older ones move up', async () => {
    const before = await listIds(uploadsList('UU'));
    const [id] = simulator.upload({ to: channel.id });
    simulator.remove(id!);
    simulator.remove(before[0]!);
    expect(await feedIds(`channel_id=${channel.id}`)).toEqual(before.slice(1, 16));
    expect((await listIds(uploadsList('UU'))).slice(0, 15)).toEqual(before.slice(1, 16));
    expect((await readPlayer(simulator.origin, 'WEB', id!)).playabilityStatus?.status).toBe('ERROR');
  });

  it('never have the ids of those before a restart', async () => {
    const ids = simulator.upload({ to: channel.id, count: 50 });
    const next = await startPlatformSimulator({ seed: SEED, now: () => now + 1_000 });
    const later = next.upload({ to: channel.id, count: 50 });
    await next.close();
    expect(later.filter((id) => ids.includes(id))).toEqual([]);
  });

  it('come by the control as well, which names what is wrong', async () => {
    const { status, result } = await control('upload', { to: channel.id, count: 2 });
    expect([status, await feedIds(`channel_id=${channel.id}`)]).toEqual([
      200,
      [...result, ...(await listIds(uploadsList('UU'))).slice(2, 15)],
    ]);
    expect((await control('upload', { to: '@unknown' })).status).toBe(400);
    expect((await control('upload', { to: channel.id, count: 0 })).status).toBe(400);
    expect((await control('upload', { to: channel.id, counts: 1 })).status).toBe(400);
    expect((await control('release', result[0])).result).toBe(true);
    expect((await control('release', 'manualEn001')).result).toBe(false);
    expect((await control('remove', result[0])).status).toBe(200);
    expect(await feedIds(`channel_id=${channel.id}`)).not.toContain(result[0]);
  });
});

describe('a storm', () => {
  it('hits the feed of one source, as often as requested, and is counted by source', async () => {
    const other = channelAt(4, SEED)!;
    simulator.faults.add({ match: { sourceId: channel.id }, fault: 'server_error', times: 2 });
    const statuses = async (id: string) => {
      const answers = [
        await feed(`channel_id=${id}`),
        await feed(`channel_id=${id}`),
        await feed(`channel_id=${id}`),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await statuses(channel.id)).toEqual([500, 500, 200]);
    expect(await statuses(other.id)).toEqual([200, 200, 200]);
    expect(simulator.requests().bySource).toEqual({ [channel.id]: { feed: 3 }, [other.id]: { feed: 3 } });
  });

  it('of 404 hits every feed and nothing else', async () => {
    simulator.faults.add({ fault: 'not_found' });
    expect((await feed(`channel_id=${channel.id}`)).status).toBe(404);
    expect(await listIds(uploadsList('UU'))).toHaveLength(50);
  });
});
