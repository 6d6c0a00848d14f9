import { describe, expect, it } from '@jest/globals';
import { copyDatabase } from '@tds/test-kit';
import { batchesOf, setUpMonitors, type Watched } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const { check } = system;

const MORE_THAN_A_FEED_SHOWS = 20;
const comeBack = (watched: Watched) => system.monitors.eventually(() => watched.get());

/** A monitor that has told and fetched one video when its database is copied. */
const copied = async () => {
  const watched = await system.monitors.watch({ autoFetch: true });
  const first = system.monitors.platform.upload(watched.channel);
  await check();
  await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first]));
  const copy = await copyDatabase(system.monitors.database);
  await comeBack(watched);
  return { watched, first, copy };
};
const putBack = async ({ watched, copy }: Awaited<ReturnType<typeof copied>>) => {
  await copy.putBack();
  await copy.drop();
  await comeBack(watched);
};

describe('a monitor whose database is put back to an earlier state', () => {
  it('forgets no video, not even those that no feed shows any more, and begins no job twice', async () => {
    const before = await copied();
    const { watched, first } = before;
    const lost = system.monitors.platform.upload(watched.channel, MORE_THAN_A_FEED_SHOWS);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, lost]));
    await putBack(before);
    await check();
    const late = system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, lost, late]));
    // Told again of what was lost, and of nothing else.
    await system.monitors.eventually(() =>
      expect(watched.told()).toEqual([...first, ...lost, ...lost, ...late]),
    );
    expect(await watched.get()).toMatchObject({ new_videos: 1 + lost.length + late.length });
  });

  it('has every video in a job where batches are cut otherwise than before', async () => {
    const before = await copied();
    const { watched, first } = before;
    const one = system.monitors.platform.upload(watched.channel);
    await check();
    const other = system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, one, other]));
    await putBack(before);
    const late = system.monitors.platform.upload(watched.channel);
    await check();
    const again = [...one, ...other, ...late];
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, one, other, again]));
  });

  it('hears again that its webhook went, and waits for one', async () => {
    const before = await copied();
    const { watched } = before;
    await system.monitors.webhook.configure(watched.accountId);
    await system.monitors.uses(watched.id);
    const paused = () =>
      system.monitors.eventually(async () =>
        expect(await watched.get()).toMatchObject({ status: 'paused', pause_reason: 'webhook_missing' }),
      );
    await system.monitors.webhook.remove(watched.accountId);
    await paused();
    await putBack(before);
    await paused();
  });
});
