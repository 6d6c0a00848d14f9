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
const PAGE = 20;

const tells = ({ told }: Watched, ids: readonly string[]) =>
  monitors.eventually(() => expect(told()).toEqual(ids));
const check = () => monitors.pass('20 minutes');
const checks = async (count: number) => {
  for (let index = 0; index < count; index += 1) await check();
};
const watch = async (videos: number) => {
  const playlist = monitors.newPlaylist(videos);
  return { playlist, watched: await monitors.watch({ source: { playlist } }) };
};

describe('a playlist that holds more than its feed shows', () => {
  it('has what is added at its end told in that order, each video once', async () => {
    const { playlist, watched } = await watch(PAGE);
    const first = monitors.platform.append(playlist, 3);
    await checks(2);
    await tells(watched, first);
    const second = monitors.platform.append(playlist, 2);
    await checks(3);
    await tells(watched, [...first, ...second]);
    expect((await watched.get()).new_videos).toBe(5);
  });

  it('has what is put on its top told as well, also where that is more than the feed shows', async () => {
    const { playlist, watched } = await watch(30);
    const one = monitors.platform.upload(playlist);
    await check();
    await tells(watched, one);
    const many = monitors.platform.upload(playlist, 25);
    await check();
    await tells(watched, [...one, ...many]);
  });

  it('begins with all that it holds, also where one look does not read to its end', async () => {
    const { playlist, watched } = await watch(VIDEOS_A_LOOK + 30);
    await check();
    expect(watched.told()).toEqual([]);
    const added = monitors.platform.append(playlist, 2);
    await monitors.query('UPDATE feeds SET list_in = 0 WHERE source_id = $1', [playlist]);
    await checks(2);
    await tells(watched, added);
  });

  it('tells nothing that was there before somebody began to watch', async () => {
    const { playlist, watched } = await watch(PAGE * 3 + 5);
    await check();
    const early = monitors.platform.append(playlist, 2);
    const second = await monitors.watch({ source: { playlist } });
    const late = monitors.platform.append(playlist, 2);
    await checks(4);
    await tells(watched, [...early, ...late]);
    await tells(second, late);
  });

  it('is read to its end at every look where that is one page, and a page a look on average where it is more', async () => {
    const [one, four] = [await watch(PAGE), await watch(PAGE * 4)];
    await check();
    const pages = ({ playlist }: { playlist: string }) => monitors.platform.asksFor(`list ${playlist}`);
    const before = [pages(one), pages(four)] as const;
    await checks(4);
    expect([pages(one) - before[0], pages(four) - before[1]]).toEqual([4, 4]);
  });

  it('is no failure where its list cannot be read: what was added is told when it can', async () => {
    const { playlist, watched } = await watch(PAGE);
    monitors.platform.lists(false);
    const added = monitors.platform.append(playlist, 2);
    await checks(2);
    expect(await watched.get()).toMatchObject({ status: 'active', consecutive_failures: 0 });
    monitors.platform.lists(true);
    await check();
    await tells(watched, added);
  });

  it('is watched from the time on at which its list can be read, where that fails at first', async () => {
    monitors.platform.lists(false);
    const { playlist, watched } = await watch(PAGE * 2);
    monitors.platform.lists(true);
    await check();
    const added = monitors.platform.append(playlist, 2);
    await checks(3);
    await tells(watched, added);
  });

  it('brings nothing new where others are deleted', async () => {
    const { playlist, watched } = await watch(PAGE * 2);
    monitors.platform.remove(playlist, 18);
    await checks(3);
    const added = monitors.platform.append(playlist, 1);
    await checks(2);
    await tells(watched, added);
  });
});

describe('a playlist that its feed shows whole', () => {
  it('has told all that was added when it holds more than that', async () => {
    const { playlist, watched } = await watch(12);
    const added = monitors.platform.append(playlist, PAGE);
    await check();
    await tells(watched, added);
    const more = monitors.platform.append(playlist, 1);
    await checks(2);
    await tells(watched, [...added, ...more]);
  });
});
