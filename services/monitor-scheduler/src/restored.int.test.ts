import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { copyDatabase } from '@tds/test-kit';
import { startMonitors, type TestMonitors } from './test-support/start-monitors.ts';

let monitors: TestMonitors;
beforeAll(async () => {
  monitors = await startMonitors();
});
afterAll(() => monitors?.stop());

type Watched = Awaited<ReturnType<TestMonitors['watch']>>;

const MORE_THAN_A_FEED_SHOWS = 20;
const check = () => monitors.pass('20 minutes');
const batchesOf = ({ jobs }: Watched) =>
  jobs().map(({ source }) => ('videoIds' in source ? source.videoIds : []));
const comeBack = (watched: Watched) => monitors.eventually(() => watched.get());

/** A monitor that has told and fetched one video when its database is copied. */
const copied = async () => {
  const watched = await monitors.watch({ autoFetch: true });
  const first = monitors.platform.upload(watched.channel);
  await check();
  await monitors.eventually(() => expect(batchesOf(watched)).toEqual([first]));
  const copy = await copyDatabase(monitors.database);
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
    const lost = monitors.platform.upload(watched.channel, MORE_THAN_A_FEED_SHOWS);
    await check();
    await monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, lost]));
    await putBack(before);
    await check();
    const late = monitors.platform.upload(watched.channel);
    await check();
    await monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, lost, late]));
    // Told again of what was lost, and of nothing else.
    await monitors.eventually(() => expect(watched.told()).toEqual([...first, ...lost, ...lost, ...late]));
    expect(await watched.get()).toMatchObject({ new_videos: 1 + lost.length + late.length });
  });

  it('has every video in a job where batches are cut otherwise than before', async () => {
    const before = await copied();
    const { watched, first } = before;
    const one = monitors.platform.upload(watched.channel);
    await check();
    const other = monitors.platform.upload(watched.channel);
    await check();
    await monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, one, other]));
    await putBack(before);
    const late = monitors.platform.upload(watched.channel);
    await check();
    const again = [...one, ...other, ...late];
    await monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, one, other, again]));
  });

  it('hears again that its webhook went, and waits for one', async () => {
    const before = await copied();
    const { watched } = before;
    await monitors.webhook.configure(watched.accountId);
    await monitors.uses(watched.id);
    const paused = () =>
      monitors.eventually(async () =>
        expect(await watched.get()).toMatchObject({ status: 'paused', pause_reason: 'webhook_missing' }),
      );
    await monitors.webhook.remove(watched.accountId);
    await paused();
    await putBack(before);
    await paused();
  });
});
