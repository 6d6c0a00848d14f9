import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startMonitors, type TestMonitors } from './test-support/start-monitors.ts';

let monitors: TestMonitors;
beforeAll(async () => {
  monitors = await startMonitors();
});
afterAll(() => monitors?.stop());
afterEach(() => {
  monitors.refuse(null);
  monitors.loseAnswers(false);
});

type Watched = Awaited<ReturnType<TestMonitors['watch']>>;

const check = () => monitors.pass('20 minutes');
const fetching = (given = {}) => monitors.watch({ autoFetch: true, ...given });
const videosOf = ({ jobs }: Watched) =>
  jobs().flatMap(({ source }) => ('videoIds' in source ? source.videoIds : []));
const has = (watched: Watched, ids: readonly string[]) =>
  monitors.eventually(() => expect(videosOf(watched)).toEqual(ids));

describe('an automatic job', () => {
  it('is of the account, names its monitor, and is asked for as the monitor says', async () => {
    const watched = await fetching({ language: 'es', fallback: false });
    const ids = monitors.platform.upload(watched.channel, 2);
    await check();
    await has(watched, ids);
    expect(watched.jobs()).toMatchObject([
      {
        ...{ accountId: watched.accountId, keyId: null, limitId: null, tier: 'paid', monitorId: watched.id },
        ...{ language: 'es', fallback: false, format: 'both', webhookUrl: null, source: { videoIds: ids } },
      },
    ]);
    await check();
    await has(watched, ids);
  });

  it('is of what came since: no historical jobs, and none without auto_fetch', async () => {
    const [automatic, plain] = [await fetching(), await monitors.watch()];
    await check();
    monitors.platform.upload(plain.channel);
    await check();
    expect([automatic.jobs(), plain.jobs()]).toEqual([[], []]);
  });

  it('has no more videos than a job of the account may have', async () => {
    monitors.ownerHas('free');
    const watched = await fetching();
    const ids = monitors.platform.upload(watched.channel, 130);
    await check();
    await has(watched, ids);
    expect(watched.jobs().map(({ source }) => 'videoIds' in source && source.videoIds.length)).toEqual([
      100, 30,
    ]);
    monitors.ownerHas('paid');
  });

  it('is one, with the same videos, though its answer is lost and more came meanwhile', async () => {
    const watched = await fetching();
    const ids = monitors.platform.upload(watched.channel, 2);
    monitors.loseAnswers(true);
    await check();
    await has(watched, ids);
    const late = monitors.platform.upload(watched.channel, 2);
    await check();
    monitors.loseAnswers(false);
    await check();
    await has(watched, [...ids, ...late]);
    expect(watched.jobs()).toHaveLength(2);
  });

  it('is one, though it was never asked for when more came', async () => {
    const watched = await fetching();
    monitors.refuse('service_unavailable');
    const ids = monitors.platform.upload(watched.channel, 2);
    await check();
    const late = monitors.platform.upload(watched.channel);
    await check();
    monitors.refuse(null);
    await check();
    await has(watched, [...ids, ...late]);
    expect(watched.jobs()).toMatchObject([{ source: { videoIds: ids } }, { source: { videoIds: late } }]);
  });

  it('waits for an end of what the account runs, and says why', async () => {
    const watched = await fetching();
    monitors.refuse('active_job_cap');
    const ids = monitors.platform.upload(watched.channel);
    await check();
    await monitors.eventually(async () =>
      expect(await watched.get()).toMatchObject({
        ...{ status: 'active', last_error: expect.stringContaining('active_job_cap') },
      }),
    );
    monitors.refuse(null);
    await check();
    await has(watched, ids);
    expect((await watched.get()).last_error).toBeNull();
  });

  it('is cut anew where the account may have smaller jobs than before', async () => {
    const watched = await fetching();
    monitors.refuse('job_size_cap');
    const ids = monitors.platform.upload(watched.channel, 130);
    await check();
    monitors.ownerHas('free');
    monitors.refuse(null);
    await check();
    await has(watched, ids);
    expect(watched.jobs()).toHaveLength(2);
    monitors.ownerHas('paid');
  });

  it('waits while bulk-orchestrator or identity are away', async () => {
    const watched = await fetching();
    monitors.refuse('service_unavailable');
    const ids = monitors.platform.upload(watched.channel);
    await check();
    expect(await watched.get()).toMatchObject({ status: 'active', new_videos: 1 });
    monitors.refuse(null);
    await check();
    await has(watched, ids);
  });
});
