import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from '@jest/globals';
import { codeOf } from '@tds/test-kit';
import { setUpMonitors, type WatchedMonitor } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const key = () => `key ${randomUUID()}`;
const newFree = () => ({ accountId: randomUUID(), tier: 'free' as const });
const reads = (channel: string) =>
  ['feed', 'list'].map((what) =>
    system.monitors.platform.asksFor(`${what} ${channel.replace(/^UC/, what === 'list' ? 'UU' : 'UC')}`),
  );

describe('the creations of an account on a day', () => {
  it('are ten monitors for a free account, even if each is cancelled at once, and more the next day', async () => {
    const free = newFree();
    for (let count = 0; count < 10; count += 1) await (await system.monitors.watch(free)).cancel();
    const channel = system.monitors.newChannel();
    const again = () => system.monitors.create({ ...free, source: { channel } });
    await expect(again()).rejects.toMatchObject({
      ...{ code: 'monitor_creation_cap', data: { retryAfterSeconds: expect.any(Number) } },
    });
    expect(reads(channel)).toEqual([0, 0]);
    await system.monitors.query(`UPDATE creation_days SET day = day - 1 WHERE account_id = $1`, [
      free.accountId,
    ]);
    expect(await codeOf(again())).toBe('answered');
  });

  it('include missing sources, each requested once an hour', async () => {
    const free = newFree();
    const channel = `UC${randomUUID().replaceAll('-', '').slice(0, 22)}`;
    const create = () => codeOf(system.monitors.create({ ...free, source: { channel } }));
    const codes: string[] = [];
    for (let count = 0; count < 11; count += 1) codes.push(await create());
    expect(codes).toEqual([...Array<string>(10).fill('source_not_found'), 'monitor_creation_cap']);
    expect(reads(channel)).toEqual([1, 1]);
    await system.monitors.query('DELETE FROM creation_days WHERE account_id = $1', [free.accountId]);
    await system.monitors.query(
      `UPDATE feeds SET checked_at = now() - interval '61 minutes' WHERE source_id = $1`,
      [channel],
    );
    system.monitors.platform.add(channel);
    expect(await create()).toBe('answered');
  });

  it('do not include failures because the platform was away', async () => {
    const free = newFree();
    const channel = system.monitors.newChannel();
    system.monitors.platform.is(channel, 'broken');
    for (let count = 0; count < 11; count += 1)
      expect(await codeOf(system.monitors.create({ ...free, source: { channel } }))).toBe('upstream_error');
  });

  it('are a hundred new keys of existing monitors for a free account', async () => {
    const free = newFree();
    const { channel } = await system.monitors.watch(free);
    const repeat = (idempotencyKey: string) =>
      codeOf(system.monitors.create({ ...free, source: { channel }, idempotencyKey }));
    const known = key();
    await repeat(known);
    await system.monitors.query('UPDATE creation_days SET keys = 100 WHERE account_id = $1', [free.accountId]);
    expect([await repeat(key()), await repeat(known)]).toEqual(['monitor_creation_cap', 'answered']);
  });
});

describe('deleted rows', () => {
  it('include missing sources, which are not checked again', async () => {
    const channel = `UC${randomUUID().replaceAll('-', '').slice(0, 22)}`;
    await codeOf(system.monitors.create({ source: { channel } }));
    const feed = { where: 'source_id = $1', values: [channel] };
    await system.monitors.rows.passTime('feeds', '2 hours', ['due_at', 'checked_at'], feed);
    await system.monitors.run('checkFeeds');
    expect(reads(channel)).toEqual([1, 1]);
    await system.monitors.run('purgeFeeds');
    expect(await system.monitors.query('SELECT FROM feeds WHERE source_id = $1', [channel])).toEqual([]);
  });

  it('include monitors cancelled a year ago with their keys, but not active ones of that age', async () => {
    const accountId = randomUUID();
    const [old, young] = [
      await system.monitors.watch({ accountId, idempotencyKey: key() }),
      await system.monitors.watch({ accountId, idempotencyKey: key() }),
    ];
    await old.cancel();
    await system.monitors.query(
      `UPDATE monitors SET created_at = now() - interval '2 years', cancelled_at = cancelled_at - interval '366 days'
       WHERE account_id = $1`,
      [accountId],
    );
    await system.monitors.run('purgeFeeds');
    expect((await system.monitors.list(accountId)).monitors.map(({ id }) => id)).toEqual([young.id]);
    expect(
      await system.monitors.query('SELECT FROM monitor_keys WHERE account_id = $1', [accountId]),
    ).toHaveLength(1);
  });

  it('include cancelled monitors beyond the newest 1,000', async () => {
    const accountId = randomUUID();
    const { cancel, id } = await system.monitors.watch({ accountId });
    await system.monitors.query(
      `INSERT INTO monitors (id, account_id, kind, source_id, auto_fetch, language, fallback, created_at, cancelled_at,
         found_before, uses_webhook, baseline, emitted, fetched, due_at)
       SELECT gen_random_uuid(), $1, 'channel', 'UC' || repeat('x', 22), false, 'en', true, '2026-01-01', now() - interval '1 day',
         0, true, 0, 0, 0, 'infinity' FROM generate_series(1, 1005)`,
      [accountId],
    );
    await cancel();
    const { monitors, total } = await system.monitors.list(accountId);
    expect([total, monitors[0]?.id]).toEqual([1_000, id]);
  });
});

describe('monitors of an account whose tier drops', () => {
  afterEach(() => system.monitors.ownerHas('paid'));

  const three = async () => {
    const accountId = randomUUID();
    const all: WatchedMonitor[] = [];
    for (let count = 0; count < 3; count += 1) all.push(await system.fetching({ accountId }));
    return { accountId, all };
  };
  const waitFor = (all: readonly WatchedMonitor[], reasons: readonly (string | null)[]) =>
    system.monitors.eventually(async () =>
      expect(await Promise.all(all.map(async ({ get }) => (await get()).pause_reason))).toEqual(reasons),
    );

  it('pause above its limit, the newest first, and resume one by one as others are cancelled', async () => {
    const { accountId, all } = await three();
    const [first, second, third] = all as [WatchedMonitor, WatchedMonitor, WatchedMonitor];
    system.monitors.ownerHas('free');
    await system.monitors.emitTierChange(accountId);
    await waitFor(all, [null, 'tier_limit', 'tier_limit']);
    const found = [first, second, third].map(({ channel }) => system.monitors.platform.upload(channel));
    await system.check();
    await system.emits(first, found[0]!);
    expect([second.emitted(), second.jobs(), third.emitted(), third.jobs()]).toEqual([[], [], [], []]);
    await first.cancel();
    await waitFor([second, third], [null, 'tier_limit']);
    await system.check();
    await system.emits(second, found[1]!);
    await system.fetches(second, found[1]!);
    system.monitors.ownerHas('paid');
    await system.monitors.emitTierChange(accountId);
    await waitFor([second, third], [null, null]);
    await system.check();
    await system.fetches(third, found[2]!);
    await system.monitors.eventually(() =>
      expect([third.paused(), third.resumed()]).toEqual([['tier_limit'], 1]),
    );
  });

  it('have their sources checked once a day without other watchers, and soon after they resume', async () => {
    const { accountId, all } = await three();
    const shared = await system.monitors.create({ source: { channel: all[2]!.channel } });
    system.monitors.ownerHas('free');
    await system.monitors.emitTierChange(accountId);
    await waitFor(all, [null, 'tier_limit', 'tier_limit']);
    await system.monitors.eventually(() => expect(all[2]!.paused()).toEqual(['tier_limit']));
    await system.monitors.pass('1 day');
    const areReadLater = async () => {
      const later = `SELECT due_at > now() + interval '23 hours' AS "isLater" FROM feeds WHERE source_id = $1`;
      const rows = await Promise.all(all.map(({ channel }) => system.monitors.query(later, [channel])));
      return rows.flat();
    };
    const [later, soon] = [{ isLater: true }, { isLater: false }];
    expect(shared.monitor.status).toBe('active');
    expect(await areReadLater()).toEqual([soon, later, soon]);
    await all[0]!.cancel();
    expect(await areReadLater()).toEqual([later, soon, soon]);
  });

  it('pause within a day without an event, and trust identity over older events', async () => {
    const { accountId, all } = await three();
    system.monitors.ownerHas('free');
    await system.monitors.pass('1 day');
    await waitFor(all, [null, 'tier_limit', 'tier_limit']);
    await system.monitors.emitTierChange(accountId);
    await system.monitors.emitTierChange(accountId, 'paid');
    await system.check();
    await waitFor(all, [null, 'tier_limit', 'tier_limit']);
  });
});

describe('the videos of a monitor', () => {
  it('are those it found, newest first, each with its job, in pages', async () => {
    const watched = await system.fetching();
    const ids = system.monitors.platform.upload(watched.channel, 3);
    await system.check();
    await system.fetches(watched, ids);
    await system.check();
    const first = await watched.videos(2);
    expect(first).toMatchObject({
      total: 3,
      videos: ids
        .toReversed()
        .slice(0, 2)
        .map((id) => ({ video_id: id })),
    });
    expect(first.videos[0]).toMatchObject({
      ...{ title: `Video ${ids[2]}`, found_at: expect.any(String), job_id: expect.any(String) },
      published_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/),
    });
    expect((await watched.videos(2, 2)).videos.map((video) => video.video_id)).toEqual([ids[0]]);
    const { next_check_at: next, last_checked_at: last } = await watched.get();
    expect(new Date(next!).getTime()).toBeGreaterThan(new Date(last!).getTime());
  });

  it('have no job if none was created, and are hidden from other accounts; they stay listed after its end', async () => {
    const watched = await system.monitors.watch();
    system.monitors.platform.upload(watched.channel);
    await system.check();
    expect((await watched.videos()).videos).toMatchObject([{ job_id: null }]);
    expect(await codeOf(watched.videos(20, 0, randomUUID()))).toBe('monitor_not_found');
    const found = await watched.videos();
    await watched.cancel();
    expect(await watched.videos()).toEqual(found);
    expect(found.total).toBe(1);
    expect(await watched.get()).toMatchObject({ next_check_at: null, new_videos: 1 });
  });
});
