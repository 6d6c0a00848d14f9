import { describe, expect, it } from '@jest/globals';
import { setUpMonitors } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const { check, fetching, fetches } = system;

describe('an automatic job', () => {
  it('is of the account, names its monitor, and is asked for as the monitor says', async () => {
    const watched = await fetching({ language: 'es', fallback: false });
    const ids = system.monitors.platform.upload(watched.channel, 2);
    await check();
    await fetches(watched, ids);
    expect(watched.jobs()).toMatchObject([
      {
        ...{ accountId: watched.accountId, keyId: null, limitId: null, tier: 'paid', monitorId: watched.id },
        ...{ language: 'es', fallback: false, format: 'both', webhookUrl: null, source: { videoIds: ids } },
      },
    ]);
    await check();
    await fetches(watched, ids);
  });

  it('is of what came since: no historical jobs, and none without auto_fetch', async () => {
    const [automatic, plain] = [await fetching(), await system.monitors.watch()];
    await check();
    system.monitors.platform.upload(plain.channel);
    await check();
    expect([automatic.jobs(), plain.jobs()]).toEqual([[], []]);
  });

  it('has no more videos than a job of the account may have', async () => {
    system.monitors.ownerHas('free');
    const watched = await fetching();
    const ids = system.monitors.platform.upload(watched.channel, 130);
    await check();
    await fetches(watched, ids);
    expect(watched.jobs().map(({ source }) => 'videoIds' in source && source.videoIds.length)).toEqual([
      100, 30,
    ]);
    system.monitors.ownerHas('paid');
  });

  it('is one, with the same videos, though its answer is lost and more came meanwhile', async () => {
    const watched = await fetching();
    const ids = system.monitors.platform.upload(watched.channel, 2);
    system.monitors.loseAnswers(true);
    await check();
    await fetches(watched, ids);
    const late = system.monitors.platform.upload(watched.channel, 2);
    await check();
    system.monitors.loseAnswers(false);
    await check();
    await fetches(watched, [...ids, ...late]);
    expect(watched.jobs()).toHaveLength(2);
  });

  it('is one, though it was never asked for when more came', async () => {
    const watched = await fetching();
    system.monitors.refuse('service_unavailable');
    const ids = system.monitors.platform.upload(watched.channel, 2);
    await check();
    const late = system.monitors.platform.upload(watched.channel);
    await check();
    system.monitors.refuse(null);
    await check();
    await fetches(watched, [...ids, ...late]);
    expect(watched.jobs()).toMatchObject([{ source: { videoIds: ids } }, { source: { videoIds: late } }]);
  });

  it('waits for an end of what the account runs, and says why', async () => {
    const watched = await fetching();
    system.monitors.refuse('active_job_cap');
    const ids = system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(async () =>
      expect(await watched.get()).toMatchObject({
        ...{ status: 'active', last_error: expect.stringContaining('active_job_cap') },
      }),
    );
    system.monitors.refuse(null);
    await check();
    await fetches(watched, ids);
    expect((await watched.get()).last_error).toBeNull();
  });

  it('is cut anew where the account may have smaller jobs than before', async () => {
    const watched = await fetching();
    system.monitors.refuse('job_size_cap');
    const ids = system.monitors.platform.upload(watched.channel, 130);
    await check();
    system.monitors.ownerHas('free');
    system.monitors.refuse(null);
    await check();
    await fetches(watched, ids);
    expect(watched.jobs()).toHaveLength(2);
    system.monitors.ownerHas('paid');
  });

  it('is asked for again within a minute where a service has failed', async () => {
    const watched = await fetching();
    system.monitors.refuse('unexpected_error');
    system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(async () =>
      expect((await watched.get()).last_error).toContain('unexpected_error'),
    );
    const soon = `SELECT FROM errands WHERE due_at < now() + interval '1 minute' AND replace(id::text, '-', '') = $1`;
    await system.monitors.eventually(async () =>
      expect(await system.monitors.query(soon, [watched.id])).toHaveLength(1),
    );
  });

  it('waits while bulk-orchestrator or identity are away', async () => {
    const watched = await fetching();
    system.monitors.refuse('service_unavailable');
    const ids = system.monitors.platform.upload(watched.channel);
    await check();
    expect(await watched.get()).toMatchObject({ status: 'active', new_videos: 1 });
    system.monitors.refuse(null);
    await check();
    await fetches(watched, ids);
  });
});
