import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startMonitors, type TestMonitors } from './test-support/start-monitors.ts';

let monitors: TestMonitors;
beforeAll(async () => {
  monitors = await startMonitors();
});
afterAll(() => monitors?.stop());
afterEach(() => monitors.platform.lists(true));

type Watched = Awaited<ReturnType<TestMonitors['watch']>>;

/** Of the fake platform's lists, in one look. */
const VIDEOS_A_LOOK = 160;

const tells = ({ told }: Watched, ids: readonly string[]) =>
  monitors.eventually(() => expect(told()).toEqual(ids));
const check = () => monitors.pass('20 minutes');

describe('more new videos than one look reads of the list', () => {
  it('are all told, the oldest first, each once, with what came meanwhile behind them', async () => {
    const watched = await monitors.watch({}, 40);
    const ids = monitors.platform.upload(watched.channel, VIDEOS_A_LOOK * 2 + 30);
    await check();
    const late = monitors.platform.upload(watched.channel, 2);
    await check();
    expect(watched.told()).toEqual([]);
    expect(await watched.get()).toMatchObject({ status: 'active', new_videos: 0, consecutive_failures: 0 });
    await check();
    await tells(watched, ids);
    await check();
    await tells(watched, [...ids, ...late]);
    expect(await monitors.query('SELECT FROM held_videos')).toEqual([]);
  });

  it('are all told where more than a feed shows came while they were read', async () => {
    const watched = await monitors.watch({}, 40);
    const ids = monitors.platform.upload(watched.channel, VIDEOS_A_LOOK + 30);
    await check();
    const late = monitors.platform.upload(watched.channel, 50);
    await check();
    await check();
    await tells(watched, [...ids, ...late]);
  });

  it('are all told of a channel that had none', async () => {
    const watched = await monitors.watch({}, 0);
    const ids = monitors.platform.upload(watched.channel, VIDEOS_A_LOOK + 30);
    await check();
    await check();
    await tells(watched, ids);
  });

  it('are all told where the list fails on the way', async () => {
    const watched = await monitors.watch({}, 40);
    const ids = monitors.platform.upload(watched.channel, VIDEOS_A_LOOK + 30);
    await check();
    monitors.platform.lists(false);
    await check();
    expect((await watched.get()).consecutive_failures).toBe(1);
    monitors.platform.lists(true);
    await check();
    await check();
    await monitors.eventually(() => expect(watched.told().toSorted()).toEqual(ids));
    expect((await watched.get()).consecutive_failures).toBe(0);
  });

  it('are no news for whoever begins to watch while they are looked for', async () => {
    const watched = await monitors.watch({}, 40);
    const { channel } = watched;
    const ids = monitors.platform.upload(channel, VIDEOS_A_LOOK * 2 + 30);
    await check();
    const second = await monitors.watch({ source: { channel } });
    const late = monitors.platform.upload(channel, 2);
    await check();
    await check();
    await check();
    await tells(watched, [...ids, ...late]);
    await tells(second, late);
    expect((await second.get()).new_videos).toBe(2);
  });
});

describe('a channel of which all was deleted that its feed had shown', () => {
  it('has nothing new, and nobody reads its list for that', async () => {
    const watched = await monitors.watch({}, 60);
    monitors.platform.remove(watched.channel, 20);
    await check();
    const [id] = monitors.platform.upload(watched.channel);
    await check();
    await tells(watched, [id!]);
    expect(monitors.platform.asksFor(`list UU${watched.channel.slice(2)}`)).toBe(0);
  });
});
