import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { monitorScheduler, serviceError } from '@tds/contracts';
import { codeOf } from '@tds/test-kit';
import { HANDLE, startMonitors, type TestMonitors } from '../test-support/start-monitors.ts';

let monitors: TestMonitors;
beforeAll(async () => {
  monitors = await startMonitors();
});
afterAll(() => monitors?.stop());

const key = () => `key ${randomUUID()}`;

describe('a new monitor', () => {
  it('has an id of 32 characters, and begins with what is in the feed: no video of before is new', async () => {
    const { get, channel, told, id } = await monitors.watch();
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
    await monitors.pass('1 day');
    expect(told()).toEqual([]);
  });

  it('of a handle has it resolved for the account', async () => {
    const [accountId, channel] = [randomUUID(), monitors.newChannel()];
    monitors.names.set(HANDLE, channel);
    const { monitor } = await monitors.create({ accountId, source: { channel: HANDLE } });
    expect(monitor.channel).toBe(channel);
    const asked = { name: 'resolveChannel', request: { accountId, channel: HANDLE } };
    expect(monitors.finder.asked).toContainEqual(asked);
  });

  it.each([
    ['an id', (id: string) => id],
    ['an address', (id: string) => `https://www.youtube.com/playlist?list=${id}`],
  ])('of a playlist takes %s, and asks nobody to resolve it', async (_what, spell) => {
    const id = `PL${randomUUID().replaceAll('-', '')}`;
    monitors.platform.add(id);
    const before = monitors.finder.asked.length;
    const { monitor } = await monitors.create({ source: { playlist: spell(id) } });
    expect(monitor).toMatchObject({ playlist: id, channel: null });
    expect(monitors.finder.asked).toHaveLength(before);
  });

  it.each(['https://youtu.be/dQw4w9WgXcQ', 'no playlist', 'x', 'https://example.com/playlist?list=PL1'])(
    'of the playlist %s is refused',
    async (playlist) => {
      expect(await codeOf(monitors.create({ source: { playlist } }))).toBe('invalid_playlist');
    },
  );

  it('of what the platform does not have is 404, and leaves nothing', async () => {
    const accountId = randomUUID();
    const channel = `UC${'x'.repeat(22)}`;
    expect(await codeOf(monitors.create({ accountId, source: { channel } }))).toBe('source_not_found');
    expect(await monitors.list(accountId)).toEqual({ monitors: [], total: 0 });
  });

  it('is there all the same while the platform says 404 of a feed that exists', async () => {
    const channel = monitors.newChannel(2);
    monitors.platform.is(channel, 'missing');
    const { monitor } = await monitors.create({ source: { channel } });
    expect(monitor).toMatchObject({ status: 'active', new_videos: 0, consecutive_failures: 0 });
  });

  it('is refused with what the platform suffers', async () => {
    const channel = monitors.newChannel();
    monitors.platform.is(channel, 'broken');
    expect(await codeOf(monitors.create({ source: { channel } }))).toBe('upstream_error');
    monitors.platform.is(channel, 'well');
    expect(await codeOf(monitors.create({ source: { channel } }))).toBe('answered');
  });

  it('reads a feed once for all who begin to watch it within ten minutes', async () => {
    const channel = monitors.newChannel();
    await Promise.all(Array.from({ length: 5 }, () => monitors.create({ source: { channel } })));
    await monitors.create({ source: { channel } });
    expect(monitors.platform.asksFor(`feed ${channel}`)).toBe(1);
  });

  it('with an address of its own is refused before any change where the account has no webhook', async () => {
    const [accountId, channel] = [randomUUID(), monitors.newChannel()];
    const { checkWebhookUrl } = monitors.dispatcher.commands;
    monitors.dispatcher.commands.checkWebhookUrl = async () => {
      throw serviceError('webhook_not_configured');
    };
    const asked = { accountId, source: { channel }, webhookUrl: 'https://a.example/hook' };
    expect(await codeOf(monitors.create(asked))).toBe('webhook_not_configured');
    monitors.dispatcher.commands.checkWebhookUrl = checkWebhookUrl;
    expect(monitors.platform.asksFor(`feed ${channel}`)).toBe(0);
    expect((await monitors.list(accountId)).total).toBe(0);
  });
});

describe('an Idempotency-Key', () => {
  it('answers the first monitor for ever, whatever is asked with it and though it is cancelled, and reads nothing', async () => {
    const idempotencyKey = key();
    const watched = await monitors.watch({ idempotencyKey });
    await watched.cancel();
    const asked = monitors.platform.asked.length;
    const { accountId } = watched;
    const again = await monitors.create({
      accountId,
      idempotencyKey,
      source: { playlist: '!' },
      autoFetch: true,
    });
    expect(again).toMatchObject({ isIdempotent: true, monitor: { id: watched.id, status: 'cancelled' } });
    expect(monitors.platform.asked).toHaveLength(asked);
  });

  it('of ten requests at the same time has one monitor', async () => {
    const asked = {
      accountId: randomUUID(),
      idempotencyKey: key(),
      source: { channel: monitors.newChannel() },
    };
    const replies = await Promise.all(Array.from({ length: 10 }, () => monitors.create(asked)));
    expect(new Set(replies.map(({ monitor }) => monitor.id)).size).toBe(1);
    expect(replies.filter(({ isIdempotent }) => !isIdempotent)).toHaveLength(1);
  });

  it('of a source that is watched already answers that monitor unchanged, from then on', async () => {
    const { accountId, channel, id, cancel } = await monitors.watch();
    const asked = { accountId, source: { channel }, language: 'es', idempotencyKey: key() };
    expect(await monitors.create(asked)).toMatchObject({
      isIdempotent: true,
      monitor: { id, language: 'en' },
    });
    await cancel();
    expect(await monitors.create(asked)).toMatchObject({ isIdempotent: true, monitor: { id } });
    const fresh = await monitors.create({ ...asked, idempotencyKey: key() });
    expect(fresh).toMatchObject({ isIdempotent: false, monitor: { language: 'es', status: 'active' } });
  });

  it('belongs to its account', async () => {
    const idempotencyKey = key();
    const { id } = await monitors.watch({ idempotencyKey });
    expect((await monitors.create({ idempotencyKey })).monitor.id).not.toBe(id);
  });
});

describe('the monitors of an account', () => {
  it('are 1 of a free account, and another one when that is cancelled', async () => {
    const free = { accountId: randomUUID(), tier: 'free' as const };
    const { cancel } = await monitors.watch(free);
    expect(await codeOf(monitors.create(free))).toBe('monitor_limit');
    await cancel();
    expect(await codeOf(monitors.create(free))).toBe('answered');
  });

  it('are 25 of a paid account, however many are asked for at the same time', async () => {
    const accountId = randomUUID();
    const codes = await Promise.all(Array.from({ length: 30 }, () => codeOf(monitors.create({ accountId }))));
    expect(codes.filter((code) => code === 'answered')).toHaveLength(25);
    expect(codes.filter((code) => code === 'monitor_limit')).toHaveLength(5);
  });

  it('are listed active ones first, each group newest first, and by id where they are of the same moment', async () => {
    const accountId = randomUUID();
    const created: string[] = [];
    for (let index = 0; index < 6; index += 1) created.push((await monitors.watch({ accountId })).id);
    const [a, b, c, d, e, f] = created as [string, string, string, string, string, string];
    for (const monitorId of [b, e])
      await monitors.call(monitorScheduler.cancelMonitor, { accountId, monitorId }, monitors.context());
    await monitors.query(
      `UPDATE monitors SET created_at = '2026-01-01' WHERE replace(id::text, '-', '') = ANY ($1)`,
      [[a, c]],
    );
    const { monitors: listed, total } = await monitors.list(accountId);
    expect(listed.map(({ id }) => id)).toEqual([f, d, ...[a, c].toSorted(), e, b]);
    expect(total).toBe(6);
  });

  it('come in parts that fit into a message, and all of them', async () => {
    const accountId = randomUUID();
    await monitors.watch({ accountId });
    await monitors.query(
      `INSERT INTO monitors (id, account_id, kind, source_id, auto_fetch, language, fallback, webhook_url, created_at,
         cancelled_at, found_before, uses_webhook, baseline, told, fetched, due_at)
       SELECT gen_random_uuid(), $1, 'channel', 'UC' || repeat('x', 22), false, 'en', true, 'https://a.example/' || repeat('x', 2000),
         now(), now(), 0, true, 0, 0, 0, 'infinity' FROM generate_series(1, 400)`,
      [accountId],
    );
    const ids = new Set<string>();
    for (let part = 0; part < 20; part += 1)
      for (const { id } of (await monitors.list(accountId, ids.size)).monitors) ids.add(id);
    expect(ids.size).toBe(401);
  });

  it.each([() => randomUUID().replaceAll('-', ''), () => 'z'.repeat(32)])(
    'are nobody else’s: another’s and one that does not exist answer the same',
    async (unknownId) => {
      const { id } = await monitors.watch();
      for (const monitorId of [id, unknownId()])
        for (const command of [monitorScheduler.getMonitor, monitorScheduler.cancelMonitor] as const)
          expect(
            await codeOf(monitors.call(command, { accountId: randomUUID(), monitorId }, monitors.context())),
          ).toBe('monitor_not_found');
    },
  );
});

describe('a cancelled monitor', () => {
  it('looks no more, and its source is read by nobody when nobody else watches it', async () => {
    const { channel, cancel, get, told } = await monitors.watch();
    expect((await cancel()).monitor.status).toBe('cancelled');
    monitors.platform.upload(channel);
    const asked = monitors.platform.asksFor(`feed ${channel}`);
    await monitors.pass('1 day');
    expect(monitors.platform.asksFor(`feed ${channel}`)).toBe(asked);
    expect(told()).toEqual([]);
    expect((await cancel()).monitor).toEqual(await get());
  });

  it('keeps how many new videos it has found when its feed is forgotten', async () => {
    const { channel, cancel, get } = await monitors.watch();
    monitors.platform.upload(channel, 2);
    await monitors.pass('1 day');
    const { monitor } = await cancel();
    expect(monitor.new_videos).toBe(2);
    await monitors.query(`UPDATE feeds SET checked_at = now() - interval '2 hours' WHERE source_id = $1`, [
      channel,
    ]);
    await monitors.run('purgeFeeds');
    expect(await monitors.query('SELECT FROM feeds WHERE source_id = $1', [channel])).toEqual([]);
    expect(await get()).toEqual(monitor);
  });
});
