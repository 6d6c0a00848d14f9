import { describe, expect, it } from '@jest/globals';
import { setUpMonitors } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const { check, emits } = system;

describe('an uploaded video', () => {
  it('is emitted once, with its facts, and counted', async () => {
    const watched = await system.monitors.watch();
    const [id] = system.monitors.platform.upload(watched.channel);
    await check();
    await emits(watched, [id!]);
    await check();
    await check();
    expect(watched.events()).toMatchObject([
      {
        ...{ accountId: watched.accountId, monitorId: watched.id, channel: watched.channel, playlist: null },
        ...{ webhookUrl: null, title: `Source ${watched.channel}` },
        videos: [
          { video_id: id, title: `Video ${id}`, published_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/) },
        ],
      },
    ]);
    expect((await watched.get()).new_videos).toBe(1);
  });

  it('is emitted for each monitor of the channel, after one check', async () => {
    const channel = system.monitors.newChannel();
    const source = { channel };
    const all = await Promise.all([1, 2, 3].map(() => system.monitors.create({ source })));
    const reads = system.monitors.platform.asksFor(`feed ${channel}`);
    system.monitors.platform.upload(channel, 2);
    await check();
    for (const { monitor } of all)
      expect(
        await system.monitors.query(`SELECT emitted FROM monitors WHERE replace(id::text, '-', '') = $1`, [
          monitor.id,
        ]),
      ).toEqual([{ emitted: 2 }]);
    expect(system.monitors.platform.asksFor(`feed ${channel}`)).toBe(reads + 1);
  });

  it('is new videos only for monitors that existed before', async () => {
    const first = await system.monitors.watch();
    const [early] = system.monitors.platform.upload(first.channel);
    await check();
    await system.monitors.create({ source: { channel: first.channel } });
    const [{ late }] = (await system.monitors.query<{ late: number }>(
      `SELECT baseline AS late FROM monitors WHERE source_id = $1 ORDER BY created_at DESC LIMIT 1`,
      [first.channel],
    )) as [{ late: number }];
    expect(late).toBe(1);
    await emits(first, [early!]);
  });

  it('is emitted in the order of upload', async () => {
    const watched = await system.monitors.watch();
    const ids = system.monitors.platform.upload(watched.channel, 5);
    await check();
    await emits(watched, ids);
  });

  it('is found in the list if more were uploaded than the feed shows, each once', async () => {
    const watched = await system.monitors.watch({}, 40);
    const ids = system.monitors.platform.upload(watched.channel, 73);
    await check();
    await emits(watched, ids);
    const more = system.monitors.platform.upload(watched.channel, 2);
    await check();
    await emits(watched, [...ids, ...more]);
  });

  it('is not lost if the list fails that has the videos beyond the feed', async () => {
    const watched = await system.monitors.watch({}, 40);
    const ids = system.monitors.platform.upload(watched.channel, 20);
    system.monitors.platform.lists(false);
    await check();
    expect(watched.emitted()).toEqual([]);
    expect((await watched.get()).consecutive_failures).toBe(1);
    system.monitors.platform.lists(true);
    await check();
    await emits(watched, ids);
  });

  it('is found in a channel without videos before', async () => {
    const watched = await system.monitors.watch({}, 0);
    const ids = system.monitors.platform.upload(watched.channel, 17);
    await check();
    await emits(watched, ids);
  });

  it.each(['upcoming', 'hidden'] as const)('is %s until it is out, and is emitted then', async (broadcast) => {
    const watched = await system.monitors.watch();
    const [upcoming] = system.monitors.platform.upload(watched.channel, 1, broadcast);
    const [id] = system.monitors.platform.upload(watched.channel);
    await check();
    await emits(watched, [id!]);
    await check();
    system.monitors.platform.release(upcoming!);
    await check();
    await emits(watched, [id!, upcoming!]);
    expect((await watched.get()).new_videos).toBe(2);
  });

  it('is not an older one that moves up because others were deleted', async () => {
    const watched = await system.monitors.watch({}, 30);
    system.monitors.platform.remove(watched.channel, 4);
    await check();
    const [id] = system.monitors.platform.upload(watched.channel);
    await check();
    await emits(watched, [id!]);
  });

  it('is emitted once, though two instances check concurrently', async () => {
    const another = await system.monitors.startAnother();
    const all = await Promise.all(Array.from({ length: 10 }, () => system.monitors.watch()));
    const expected = new Map(all.map(({ id, channel }) => [id, system.monitors.platform.upload(channel, 3)]));
    await Promise.all([check(), system.monitors.run('checkFeeds'), system.monitors.run('serveMonitors')]);
    await check();
    for (const watched of all) await emits(watched, expected.get(watched.id)!);
    await another.stop();
  });
});

describe('an instance that paused for longer than its lease', () => {
  it('saves nothing; videos that another one found meanwhile are emitted once', async () => {
    const watched = await system.monitors.watch();
    const [id] = system.monitors.platform.upload(watched.channel);
    const reads = () => system.monitors.platform.asksFor(`feed ${watched.channel}`);
    const before = reads();
    const goOn = system.monitors.platform.hold(watched.channel);
    const feed = { where: 'source_id = $1', values: [watched.channel] };
    await system.monitors.rows.makeDue('feeds', feed);
    const frozen = system.monitors.run('checkFeeds');
    await system.monitors.eventually(() => expect(reads()).toBe(before + 1));
    await system.monitors.rows.loseLeases('feeds', feed);
    await system.monitors.run('checkFeeds');
    await system.monitors.eventually(() => expect(reads()).toBe(before + 2));
    goOn();
    await frozen;
    await check();
    await emits(watched, [id!]);
    expect(await watched.get()).toMatchObject({ new_videos: 1, consecutive_failures: 0 });
  });
});

describe('a 404 of a feed', () => {
  it('is no failure while the list of the channel exists, which is used instead', async () => {
    const watched = await system.monitors.watch();
    system.monitors.platform.is(watched.channel, 'missing');
    const [id] = system.monitors.platform.upload(watched.channel);
    for (let check_ = 0; check_ < 7; check_ += 1) await check();
    expect(await watched.get()).toMatchObject({
      status: 'active',
      consecutive_failures: 0,
      last_error: null,
    });
    await emits(watched, [id!]);
    system.monitors.platform.is(watched.channel, 'well');
    await check();
    await emits(watched, [id!]);
  });

  it('is one of six failures if the list is missing too', async () => {
    const watched = await system.monitors.watch();
    system.monitors.platform.is(watched.channel, 'missing');
    system.monitors.platform.lists(false);
    await check();
    expect(await watched.get()).toMatchObject({
      ...{
        status: 'active',
        consecutive_failures: 1,
        last_error: expect.stringContaining('source_not_found'),
      },
    });
  });
});

describe('six failed checks in a row', () => {
  it('pause the monitor; it is checked once a day, resumes after a good check, and nothing is lost', async () => {
    const watched = await system.monitors.watch();
    system.monitors.platform.is(watched.channel, 'broken');
    for (let failure = 1; failure <= 5; failure += 1) await check();
    expect(await watched.get()).toMatchObject({ status: 'active', consecutive_failures: 5 });
    await check();
    expect(await watched.get()).toMatchObject({
      ...{ status: 'paused', pause_reason: 'feed_unavailable', consecutive_failures: 6 },
      last_error: expect.stringContaining('upstream_error'),
    });
    await system.monitors.eventually(() => expect(watched.paused()).toEqual(['feed_unavailable']));
    const ids = system.monitors.platform.upload(watched.channel, 2);
    system.monitors.platform.is(watched.channel, 'well');
    await check();
    expect((await watched.get()).status).toBe('paused');
    await system.monitors.pass('27 hours');
    expect(await watched.get()).toMatchObject({
      ...{ status: 'active', pause_reason: null, consecutive_failures: 0, last_error: null },
    });
    await emits(watched, ids);
    await system.monitors.eventually(() => expect(watched.resumed()).toBe(1));
  });

  it('do not count if our way to the platform is closed', async () => {
    const watched = await system.monitors.watch();
    system.monitors.platform.is(watched.channel, 'unreachable');
    for (let attempt = 0; attempt < 7; attempt += 1) await check();
    expect(await watched.get()).toMatchObject({ status: 'active', consecutive_failures: 0 });
  });
});

describe('a watched source', () => {
  it('is checked every 15 minutes, up to a tenth later, and not before', async () => {
    const watched = await system.monitors.watch();
    await check();
    const [feed] = await system.monitors.query<{ seconds: number }>(
      `SELECT extract(epoch FROM due_at - checked_at)::float8 AS seconds FROM feeds WHERE source_id = $1`,
      [watched.channel],
    );
    expect(feed!.seconds).toBeGreaterThanOrEqual(15 * 60 - 1);
    expect(feed!.seconds).toBeLessThanOrEqual(16.5 * 60 + 1);
  });
});
