import { describe, expect, it } from '@jest/globals';
import { setUpMonitors } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const { check, checks, emits } = system;

/** Videos of the fake platform's lists that one check reads. */
const VIDEOS_A_LOOK = 160;
const PAGE = 20;

const watch = async (videos: number) => {
  const playlist = system.monitors.newPlaylist(videos);
  return { playlist, watched: await system.monitors.watch({ source: { playlist } }) };
};

describe('a playlist with more videos than its feed shows', () => {
  it('emits videos added at its end in that order, each once', async () => {
    const { playlist, watched } = await watch(PAGE);
    const first = system.monitors.platform.append(playlist, 3);
    await checks(2);
    await emits(watched, first);
    const second = system.monitors.platform.append(playlist, 2);
    await checks(3);
    await emits(watched, [...first, ...second]);
    expect((await watched.get()).new_videos).toBe(5);
  });

  it('also emits videos added at its top, even more than the feed shows', async () => {
    const { playlist, watched } = await watch(30);
    const one = system.monitors.platform.upload(playlist);
    await check();
    await emits(watched, one);
    const many = system.monitors.platform.upload(playlist, 25);
    await check();
    await emits(watched, [...one, ...many]);
  });

  it('starts with all its videos as old, even if one check does not read to its end', async () => {
    const { playlist, watched } = await watch(VIDEOS_A_LOOK + 30);
    await check();
    expect(watched.emitted()).toEqual([]);
    const added = system.monitors.platform.append(playlist, 2);
    await system.monitors.query('UPDATE feeds SET list_in = 0 WHERE source_id = $1', [playlist]);
    await checks(2);
    await emits(watched, added);
  });

  it('that takes several checks to read treats videos added at its end meanwhile as old, since pages have no dates', async () => {
    const { playlist, watched } = await watch(VIDEOS_A_LOOK + 30);
    system.monitors.platform.append(playlist, 2);
    await check();
    const added = system.monitors.platform.append(playlist, 2);
    await system.monitors.query('UPDATE feeds SET list_in = 0 WHERE source_id = $1', [playlist]);
    await checks(2);
    await emits(watched, added);
  });

  it('emits no video that was there before it was watched', async () => {
    const { playlist, watched } = await watch(PAGE * 3 + 5);
    await check();
    const early = system.monitors.platform.append(playlist, 2);
    const second = await system.monitors.watch({ source: { playlist } });
    const late = system.monitors.platform.append(playlist, 2);
    await checks(4);
    await emits(watched, [...early, ...late]);
    await emits(second, late);
  });

  it('is read whole at every check if it has one page, otherwise a page a check on average', async () => {
    const [one, four] = [await watch(PAGE), await watch(PAGE * 4)];
    await check();
    const pages = ({ playlist }: { playlist: string }) => system.monitors.platform.asksFor(`list ${playlist}`);
    const before = [pages(one), pages(four)] as const;
    await checks(4);
    expect([pages(one) - before[0], pages(four) - before[1]]).toEqual([4, 4]);
  });

  it('does not fail if its list cannot be read; added videos are emitted later', async () => {
    const { playlist, watched } = await watch(PAGE);
    system.monitors.platform.lists(false);
    const added = system.monitors.platform.append(playlist, 2);
    await checks(2);
    expect(await watched.get()).toMatchObject({ status: 'active', consecutive_failures: 0 });
    system.monitors.platform.lists(true);
    await check();
    await emits(watched, added);
  });

  it('is watched from when its list can be read, if that fails at first', async () => {
    system.monitors.platform.lists(false);
    const { playlist, watched } = await watch(PAGE * 2);
    system.monitors.platform.lists(true);
    await check();
    const added = system.monitors.platform.append(playlist, 2);
    await checks(3);
    await emits(watched, added);
  });

  it('has no new videos if videos are deleted', async () => {
    const { playlist, watched } = await watch(PAGE * 2);
    system.monitors.platform.remove(playlist, 18);
    await checks(3);
    const added = system.monitors.platform.append(playlist, 1);
    await checks(2);
    await emits(watched, added);
  });
});

describe('a playlist that fits into its feed', () => {
  it('has emitted everything when it outgrows the feed', async () => {
    const { playlist, watched } = await watch(12);
    const added = system.monitors.platform.append(playlist, PAGE);
    await check();
    await emits(watched, added);
    const more = system.monitors.platform.append(playlist, 1);
    await checks(2);
    await emits(watched, [...added, ...more]);
  });
});
