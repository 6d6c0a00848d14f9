import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startMonitors, type TestMonitors } from './test-support/start-monitors.ts';

let monitors: TestMonitors;
beforeAll(async () => {
  monitors = await startMonitors();
});
afterAll(() => monitors?.stop());
afterEach(() => {
  monitors.refuse(null);
});

type Watched = Awaited<ReturnType<TestMonitors['watch']>>;

const check = () => monitors.pass('20 minutes');
const fetching = (given = {}) => monitors.watch({ autoFetch: true, ...given });
const videosOf = ({ jobs }: Watched) =>
  jobs().flatMap(({ source }) => ('videoIds' in source ? source.videoIds : []));
const has = (watched: Watched, ids: readonly string[]) =>
  monitors.eventually(() => expect(videosOf(watched)).toEqual(ids));
const isPaused = (watched: Watched, reason: string | null) =>
  monitors.eventually(async () => expect((await watched.get()).pause_reason).toBe(reason));

describe('a monitor whose job cannot be covered', () => {
  it('is paused, goes on watching, and catches up when credits were granted', async () => {
    const watched = await fetching();
    monitors.refuse('insufficient_credits');
    const first = monitors.platform.upload(watched.channel);
    await check();
    await isPaused(watched, 'insufficient_credits');
    await monitors.eventually(() => expect(watched.paused()).toEqual(['insufficient_credits']));
    const more = monitors.platform.upload(watched.channel, 2);
    await check();
    expect(await watched.get()).toMatchObject({ status: 'paused', new_videos: 3 });
    expect(watched.told()).toEqual(first);
    monitors.refuse(null);
    await monitors.grant(watched.accountId);
    await has(watched, [...first, ...more]);
    await monitors.eventually(() => expect(watched.told()).toEqual([...first, ...more]));
    await isPaused(watched, null);
    await monitors.eventually(() => expect(watched.resumed()).toBe(1));
  });

  it('stays paused where the credits are not enough', async () => {
    const watched = await fetching();
    monitors.refuse('insufficient_credits');
    monitors.platform.upload(watched.channel);
    await check();
    await isPaused(watched, 'insufficient_credits');
    await monitors.grant(watched.accountId);
    await check();
    expect((await watched.get()).pause_reason).toBe('insufficient_credits');
    expect([watched.paused(), watched.resumed()]).toEqual([['insufficient_credits'], 0]);
  });
});

describe('a monitor whose account loses its webhook', () => {
  it('is paused, keeps what it sees, and tells all of it when there is one again', async () => {
    const watched = await fetching();
    await monitors.webhook.configure(watched.accountId);
    await monitors.uses(watched.id);
    await monitors.webhook.remove(watched.accountId);
    await isPaused(watched, 'webhook_missing');
    const ids = monitors.platform.upload(watched.channel, 2);
    await check();
    expect(await watched.get()).toMatchObject({ status: 'paused', new_videos: 2 });
    expect([watched.told(), watched.jobs()]).toEqual([[], []]);
    await monitors.webhook.configure(watched.accountId);
    await has(watched, ids);
    await monitors.eventually(() => expect(watched.told()).toEqual(ids));
    await monitors.eventually(() =>
      expect([watched.paused(), watched.resumed()]).toEqual([['webhook_missing'], 1]),
    );
  });

  it('waits for one, too, where it hears that it is gone before it hears that it was there', async () => {
    const watched = await monitors.watch();
    const now = Date.now();
    await monitors.webhook.remove(watched.accountId, now + 2);
    await monitors.webhook.configure(watched.accountId, now + 1);
    await isPaused(watched, 'webhook_missing');
  });

  it('tells again what came to the dispatcher after the webhook was gone', async () => {
    const watched = await monitors.watch({ webhookUrl: 'https://a.example/hook' });
    const ids = monitors.platform.upload(watched.channel, 2);
    await check();
    await monitors.eventually(() => expect(watched.told()).toEqual(ids));
    await monitors.webhook.refuse(watched.accountId, watched.id, 1);
    await isPaused(watched, 'webhook_missing');
    await monitors.webhook.configure(watched.accountId);
    await monitors.eventually(() => expect(watched.told()).toEqual([...ids, ids[1]]));
  });

  it('is paused as well where that is disabled, and where it has an address of its own', async () => {
    const watched = await monitors.watch({ webhookUrl: 'https://a.example/hook' });
    expect((await watched.get()).status).toBe('active');
    await monitors.webhook.disable(watched.accountId);
    await isPaused(watched, 'webhook_missing');
  });

  it('goes on where it never had one', async () => {
    const accountId = randomUUID();
    await monitors.webhook.configure(accountId);
    await monitors.webhook.remove(accountId);
    await monitors.eventually(async () => {
      const rows = await monitors.query('SELECT FROM accounts WHERE id = $1 AND NOT has_webhook', [
        accountId,
      ]);
      expect(rows).toHaveLength(1);
    });
    const watched = await monitors.watch({ accountId });
    expect((await watched.get()).status).toBe('active');
  });

  it('believes the newest that is told, in whatever order it comes', async () => {
    const watched = await monitors.watch({ webhookUrl: 'https://a.example/hook' });
    const now = Date.now() * 1_000;
    await monitors.webhook.configure(watched.accountId, now + 2);
    await monitors.uses(watched.id);
    await monitors.webhook.remove(watched.accountId, now + 1);
    await monitors.webhook.remove(watched.accountId, now);
    await monitors.heard(watched.accountId, 3);
    expect((await watched.get()).status).toBe('active');
  });
});

describe('causes of a pause that overlap', () => {
  it('show webhook, then feed, then credits; to clear one shows the next', async () => {
    const watched = await fetching({ webhookUrl: 'https://a.example/hook' });
    monitors.refuse('insufficient_credits');
    monitors.platform.upload(watched.channel);
    await check();
    await isPaused(watched, 'insufficient_credits');
    monitors.platform.is(watched.channel, 'broken');
    for (let failure = 0; failure < 6; failure += 1) await check();
    await isPaused(watched, 'feed_unavailable');
    await monitors.webhook.remove(watched.accountId);
    await isPaused(watched, 'webhook_missing');
    await monitors.webhook.configure(watched.accountId);
    await isPaused(watched, 'feed_unavailable');
    monitors.platform.is(watched.channel, 'well');
    await monitors.pass('27 hours');
    await isPaused(watched, 'insufficient_credits');
    expect(watched.resumed()).toBe(0);
    monitors.refuse(null);
    await monitors.grant(watched.accountId);
    await isPaused(watched, null);
  });
});

describe('the account of a monitor', () => {
  it('that is closed watches nothing any more', async () => {
    const watched = await fetching();
    await monitors.becomes(watched.accountId, 'closed');
    await monitors.eventually(async () => expect((await watched.get()).status).toBe('cancelled'));
  });

  it('that is frozen goes on watching; its jobs begin when it is active again', async () => {
    const watched = await fetching();
    monitors.refuse('account_frozen');
    const ids = monitors.platform.upload(watched.channel);
    await check();
    await monitors.eventually(async () =>
      expect((await watched.get()).last_error).toContain('account_frozen'),
    );
    await monitors.eventually(() => expect(watched.told()).toEqual(ids));
    monitors.refuse(null);
    await monitors.becomes(watched.accountId, 'active');
    await has(watched, ids);
  });
});
