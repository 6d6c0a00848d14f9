import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { setUpMonitors } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const { check, fetching, fetches } = system;

describe('an automatic job', () => {
  it('is under the key and the person of its monitor, has the name of its source, and its settings', async () => {
    const [keyId, personId] = [randomUUID(), randomUUID()];
    const watched = await fetching({ language: 'es', fallback: false, keyId, personId });
    const ids = system.monitors.platform.upload(watched.channel, 2);
    await check();
    await fetches(watched, ids);
    expect(watched.jobs()).toMatchObject([
      {
        ...{ accountId: watched.accountId, keyId, limitId: keyId, tier: 'paid', monitorId: watched.id },
        ...{ personId, name: `Source ${watched.channel}` },
        ...{ language: 'es', fallback: false, format: 'both', webhookUrl: null, source: { videoIds: ids } },
      },
    ]);
    await check();
    await fetches(watched, ids);
  });

  it('has new videos only, and is not created without auto_fetch', async () => {
    const [automatic, plain] = [await fetching(), await system.monitors.watch()];
    await check();
    system.monitors.platform.upload(plain.channel);
    await check();
    expect([automatic.jobs(), plain.jobs()]).toEqual([[], []]);
  });

  it('has at most as many videos as the tier allows', async () => {
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

  it('is created once with the same videos, even if its answer is lost and more came meanwhile', async () => {
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

  it('is created once, even if the request was never sent when more came', async () => {
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

  it('waits for the running jobs of the account, and shows why', async () => {
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

  it('is cut again if the tier allows smaller jobs than before', async () => {
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

  it('is retried within a minute if a service fails', async () => {
    const watched = await fetching();
    system.monitors.refuse('unexpected_error');
    system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(async () =>
      expect((await watched.get()).last_error).toContain('unexpected_error'),
    );
    const soon = `SELECT FROM actions WHERE due_at < now() + interval '1 minute' AND replace(id::text, '-', '') = $1`;
    await system.monitors.eventually(async () =>
      expect(await system.monitors.query(soon, [watched.id])).toHaveLength(1),
    );
  });

  it('waits while bulk-orchestrator or identity is away', async () => {
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
