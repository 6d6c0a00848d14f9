import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { monitorScheduler } from '@tds/contracts';
import { serviceError } from '@tds/errors';
import { codeOf } from '@tds/test-kit';
import { setUpMonitors } from '../test-support/set-up-monitors.ts';
import { HANDLE } from '../test-support/start-monitors.ts';

const system = setUpMonitors();

const key = () => `key ${randomUUID()}`;

describe('a new monitor', () => {
  it('has an id of 32 characters, and starts with the current feed: earlier videos are not new', async () => {
    const { get, channel, emitted, id } = await system.monitors.watch();
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await get()).toMatchObject({
      ...{ status: 'active', pause_reason: null, channel, playlist: null, new_videos: 0 },
      ...{ auto_fetch: false, language: 'en', fallback: true, webhook_url: null, title: `Source ${channel}` },
      ...{
        consecutive_failures: 0,
        last_error: null,
        cancelled_at: null,
        last_checked_at: expect.any(String),
      },
    });
    await system.monitors.pass('1 day');
    expect(emitted()).toEqual([]);
  });

  it.each([
    ['shorts', 'UUSH'],
    ['videos', 'UULF'],
    ['streams', 'UULV'],
  ] as const)('of the %s of a channel watches that list, and names it', async (contents, prefix) => {
    const channel = system.monitors.newChannel();
    const playlist = `${prefix}${channel.slice(2)}`;
    system.monitors.platform.add(playlist);
    const { monitor } = await system.monitors.create({ source: { channel, contents } });
    expect(monitor).toMatchObject({ channel: null, playlist, contents });
    const whole = await system.monitors.create({ source: { channel } });
    expect(whole.monitor).toMatchObject({ channel, playlist: null, contents: 'all' });
  });

  it('of a handle is resolved for the account', async () => {
    const [accountId, channel] = [randomUUID(), system.monitors.newChannel()];
    system.monitors.names.set(HANDLE, channel);
    const { monitor } = await system.monitors.create({ accountId, source: { channel: HANDLE } });
    expect(monitor.channel).toBe(channel);
    const asked = { name: 'resolveChannel', request: { accountId, channel: HANDLE } };
    expect(system.monitors.finder.requests).toContainEqual(asked);
  });

  it.each([
    ['an id', (id: string) => id],
    ['an address', (id: string) => `https://www.youtube.com/playlist?list=${id}`],
  ])('of a playlist accepts %s without resolving it', async (_what, spell) => {
    const id = `PL${randomUUID().replaceAll('-', '')}`;
    system.monitors.platform.add(id);
    const before = system.monitors.finder.requests.length;
    const { monitor } = await system.monitors.create({ source: { playlist: spell(id) } });
    expect(monitor).toMatchObject({ playlist: id, channel: null });
    expect(system.monitors.finder.requests).toHaveLength(before);
  });

  it.each(['https://youtu.be/dQw4w9WgXcQ', 'no playlist', 'x', 'https://example.com/playlist?list=PL1'])(
    'of the playlist %s is rejected',
    async (playlist) => {
      expect(await codeOf(system.monitors.create({ source: { playlist } }))).toBe('invalid_playlist');
    },
  );

  it('of a missing source is 404 and saves nothing', async () => {
    const accountId = randomUUID();
    const channel = `UC${'x'.repeat(22)}`;
    expect(await codeOf(system.monitors.create({ accountId, source: { channel } }))).toBe('source_not_found');
    expect(await system.monitors.list(accountId)).toEqual({ monitors: [], total: 0 });
  });

  it('is created even if the platform answers 404 for an existing feed', async () => {
    const channel = system.monitors.newChannel(2);
    system.monitors.platform.is(channel, 'missing');
    const { monitor } = await system.monitors.create({ source: { channel } });
    expect(monitor).toMatchObject({ status: 'active', new_videos: 0, consecutive_failures: 0 });
  });

  it('is rejected with the error of the platform', async () => {
    const channel = system.monitors.newChannel();
    system.monitors.platform.is(channel, 'broken');
    expect(await codeOf(system.monitors.create({ source: { channel } }))).toBe('upstream_error');
    system.monitors.platform.is(channel, 'well');
    expect(await codeOf(system.monitors.create({ source: { channel } }))).toBe('answered');
  });

  it('shares one reading of the feed with others created within ten minutes', async () => {
    const channel = system.monitors.newChannel();
    await Promise.all(Array.from({ length: 5 }, () => system.monitors.create({ source: { channel } })));
    await system.monitors.create({ source: { channel } });
    expect(system.monitors.platform.asksFor(`feed ${channel}`)).toBe(1);
  });

  it('with its own URL is rejected without a change if the account has no webhook', async () => {
    const [accountId, channel] = [randomUUID(), system.monitors.newChannel()];
    const { checkWebhookUrl } = system.monitors.dispatcher.commands;
    system.monitors.dispatcher.commands.checkWebhookUrl = async () => {
      throw serviceError('webhook_not_configured');
    };
    const asked = { accountId, source: { channel }, webhookUrl: 'https://a.example/hook' };
    expect(await codeOf(system.monitors.create(asked))).toBe('webhook_not_configured');
    system.monitors.dispatcher.commands.checkWebhookUrl = checkWebhookUrl;
    expect(system.monitors.platform.asksFor(`feed ${channel}`)).toBe(0);
    expect((await system.monitors.list(accountId)).total).toBe(0);
  });
});

describe('an Idempotency-Key', () => {
  it('returns the first monitor for ever, for any request and even if it is cancelled, and reads nothing', async () => {
    const idempotencyKey = key();
    const watched = await system.monitors.watch({ idempotencyKey });
    await watched.cancel();
    const asked = system.monitors.platform.asked.length;
    const { accountId } = watched;
    const again = await system.monitors.create({
      accountId,
      idempotencyKey,
      source: { playlist: '!' },
      autoFetch: true,
    });
    expect(again).toMatchObject({ isIdempotent: true, monitor: { id: watched.id, status: 'cancelled' } });
    expect(system.monitors.platform.asked).toHaveLength(asked);
  });

  it('of ten concurrent requests creates one monitor', async () => {
    const asked = {
      accountId: randomUUID(),
      idempotencyKey: key(),
      source: { channel: system.monitors.newChannel() },
    };
    const replies = await Promise.all(Array.from({ length: 10 }, () => system.monitors.create(asked)));
    expect(new Set(replies.map(({ monitor }) => monitor.id)).size).toBe(1);
    expect(replies.filter(({ isIdempotent }) => !isIdempotent)).toHaveLength(1);
  });

  it('of a source that is watched already returns that monitor unchanged from then on', async () => {
    const { accountId, channel, id, cancel } = await system.monitors.watch();
    const asked = { accountId, source: { channel }, language: 'es,orig', idempotencyKey: key() };
    expect(await system.monitors.create(asked)).toMatchObject({
      isIdempotent: true,
      monitor: { id, language: 'en' },
    });
    await cancel();
    expect(await system.monitors.create(asked)).toMatchObject({ isIdempotent: true, monitor: { id } });
    const fresh = await system.monitors.create({ ...asked, idempotencyKey: key() });
    expect(fresh).toMatchObject({ isIdempotent: false, monitor: { language: 'es,orig', status: 'active' } });
  });

  it('belongs to its account', async () => {
    const idempotencyKey = key();
    const { id } = await system.monitors.watch({ idempotencyKey });
    expect((await system.monitors.create({ idempotencyKey })).monitor.id).not.toBe(id);
  });
});

describe('the monitors of an account', () => {
  it('are 1 for a free account, and another one after that is cancelled', async () => {
    const free = { accountId: randomUUID(), tier: 'free' as const };
    const { cancel } = await system.monitors.watch(free);
    expect(await codeOf(system.monitors.create(free))).toBe('monitor_limit');
    await cancel();
    expect(await codeOf(system.monitors.create(free))).toBe('answered');
  });

  it('are 25 for a paid account, for any number of concurrent requests', async () => {
    const accountId = randomUUID();
    const codes = await Promise.all(
      Array.from({ length: 30 }, () => codeOf(system.monitors.create({ accountId }))),
    );
    expect(codes.filter((code) => code === 'answered')).toHaveLength(25);
    expect(codes.filter((code) => code === 'monitor_limit')).toHaveLength(5);
  });

  it('are listed active ones first, each group newest first, then by id', async () => {
    const accountId = randomUUID();
    const created: string[] = [];
    for (let index = 0; index < 6; index += 1) created.push((await system.monitors.watch({ accountId })).id);
    const [a, b, c, d, e, f] = created as [string, string, string, string, string, string];
    for (const monitorId of [b, e])
      await system.monitors.call(
        monitorScheduler.cancelMonitor,
        { accountId, monitorId },
        system.monitors.context(),
      );
    await system.monitors.query(
      `UPDATE monitors SET created_at = '2026-01-01' WHERE replace(id::text, '-', '') = ANY ($1)`,
      [[a, c]],
    );
    const { monitors: listed, total } = await system.monitors.list(accountId);
    expect(listed.map(({ id }) => id)).toEqual([f, d, ...[a, c].toSorted(), e, b]);
    expect(total).toBe(6);
  });

  it('are returned completely, in pages that fit into a message', async () => {
    const accountId = randomUUID();
    await system.monitors.watch({ accountId });
    await system.monitors.query(
      `INSERT INTO monitors (id, account_id, kind, source_id, auto_fetch, language, fallback, webhook_url, created_at,
         cancelled_at, found_before, uses_webhook, baseline, emitted, fetched, due_at)
       SELECT gen_random_uuid(), $1, 'channel', 'UC' || repeat('x', 22), false, 'en', true, 'https://a.example/' || repeat('x', 2000),
         now(), now(), 0, true, 0, 0, 0, 'infinity' FROM generate_series(1, 400)`,
      [accountId],
    );
    const ids = new Set<string>();
    for (let part = 0; part < 20; part += 1)
      for (const { id } of (await system.monitors.list(accountId, ids.size)).monitors) ids.add(id);
    expect(ids.size).toBe(401);
  });

  it.each([() => randomUUID().replaceAll('-', ''), () => 'z'.repeat(32)])(
    'are hidden from other accounts: the answer is that of an unknown monitor',
    async (unknownId) => {
      const { id } = await system.monitors.watch();
      for (const monitorId of [id, unknownId()])
        for (const command of [monitorScheduler.getMonitor, monitorScheduler.cancelMonitor] as const)
          expect(
            await codeOf(
              system.monitors.call(command, { accountId: randomUUID(), monitorId }, system.monitors.context()),
            ),
          ).toBe('monitor_not_found');
    },
  );
});
