import { describe, expect, it } from '@jest/globals';
import { setUpMonitors, type WatchedMonitor } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const { check, checks, emits } = system;

/** Videos of the fake platform's lists that one check reads. */
const VIDEOS_A_LOOK = 160;
const VIDEOS_A_PAGE = 20;
const SHOWN = 15;

describe('more new videos than one check reads from the list', () => {
  it('are all emitted once, oldest first, followed by what came meanwhile', async () => {
    const watched = await system.monitors.watch({}, 40);
    const ids = system.monitors.platform.upload(watched.channel, VIDEOS_A_LOOK * 2 + 30);
    await check();
    const late = system.monitors.platform.upload(watched.channel, 2);
    await check();
    expect(watched.emitted()).toEqual([]);
    expect(await watched.get()).toMatchObject({ status: 'active', new_videos: 0, consecutive_failures: 0 });
    await check();
    await emits(watched, ids);
    await check();
    await emits(watched, [...ids, ...late]);
    expect(await system.monitors.query('SELECT FROM held_videos')).toEqual([]);
  });

  it('are all emitted if more than a feed shows came meanwhile', async () => {
    const watched = await system.monitors.watch({}, 40);
    const ids = system.monitors.platform.upload(watched.channel, VIDEOS_A_LOOK + 30);
    await check();
    const late = system.monitors.platform.upload(watched.channel, 50);
    await check();
    await check();
    await emits(watched, [...ids, ...late]);
  });

  it('are all emitted for a channel without videos before', async () => {
    const watched = await system.monitors.watch({}, 0);
    const ids = system.monitors.platform.upload(watched.channel, VIDEOS_A_LOOK + 30);
    await check();
    await check();
    await emits(watched, ids);
  });

  it('are all emitted if the list fails on the way', async () => {
    const watched = await system.monitors.watch({}, 40);
    const ids = system.monitors.platform.upload(watched.channel, VIDEOS_A_LOOK + 30);
    await check();
    system.monitors.platform.lists(false);
    await check();
    expect((await watched.get()).consecutive_failures).toBe(1);
    system.monitors.platform.lists(true);
    await check();
    await check();
    await system.monitors.eventually(() => expect(watched.emitted().toSorted()).toEqual(ids));
    expect((await watched.get()).consecutive_failures).toBe(0);
  });

  it('are not new for a monitor created while the gap is read', async () => {
    const watched = await system.monitors.watch({}, 40);
    const { channel } = watched;
    const ids = system.monitors.platform.upload(channel, VIDEOS_A_LOOK * 2 + 30);
    await check();
    const second = await system.monitors.watch({ source: { channel } });
    const late = system.monitors.platform.upload(channel, 2);
    await check();
    await check();
    await check();
    await emits(watched, [...ids, ...late]);
    await emits(second, late);
    expect((await second.get()).new_videos).toBe(2);
  });
});

describe('a channel whose known videos were all deleted', () => {
  it('has no new videos, and its list is not read', async () => {
    const watched = await system.monitors.watch({}, 60);
    system.monitors.platform.remove(watched.channel, 20);
    await check();
    const [id] = system.monitors.platform.upload(watched.channel);
    await check();
    await emits(watched, [id!]);
    expect(system.monitors.platform.asksFor(`list UU${watched.channel.slice(2)}`)).toBe(0);
  });
});

describe('a gap without known videos behind it', () => {
  const playlistToRead = ({ channel }: WatchedMonitor) => `list UU${channel.slice(2)}`;
  const asksFor = (what: string) => system.monitors.platform.asksFor(what);

  it.each([
    ['in one look', 40, 50],
    ['in several looks', 100, VIDEOS_A_LOOK + 50],
  ])(
    'that is read %s emits each new video once, oldest first, and reads the list once',
    async (_, before, after) => {
      const watched = await system.monitors.watch({}, before);
      system.monitors.platform.remove(watched.channel, SHOWN);
      const ids = system.monitors.platform.upload(watched.channel, after);
      const pages = Math.ceil((before - SHOWN + after) / VIDEOS_A_PAGE);
      await checks(3);
      await emits(watched, ids);
      expect(asksFor(playlistToRead(watched))).toBe(pages);
      const late = system.monitors.platform.upload(watched.channel, 2);
      await checks(2);
      await emits(watched, [...ids, ...late]);
      expect(asksFor(playlistToRead(watched))).toBe(pages);
    },
  );

  it('waits for the players that date its videos, and loses nothing while they are away', async () => {
    const watched = await system.monitors.watch({}, 40);
    system.monitors.platform.remove(watched.channel, SHOWN);
    const ids = system.monitors.platform.upload(watched.channel, 50);
    system.monitors.platform.players(false);
    await check();
    expect(watched.emitted()).toEqual([]);
    expect((await watched.get()).consecutive_failures).toBe(1);
    system.monitors.platform.players(true);
    await check();
    await emits(watched, ids);
  });

  it('of a playlist emits all new videos once', async () => {
    const playlist = system.monitors.newPlaylist(30);
    const watched = await system.monitors.watch({ source: { playlist } });
    system.monitors.platform.remove(playlist, 30);
    const ids = system.monitors.platform.upload(playlist, VIDEOS_A_LOOK + 30);
    await checks(4);
    await system.monitors.eventually(() => expect(watched.emitted().toSorted()).toEqual(ids));
    expect(asksFor(`list ${playlist}`)).toBeLessThanOrEqual(1 + 2 * Math.ceil(ids.length / VIDEOS_A_PAGE));
  });
});
