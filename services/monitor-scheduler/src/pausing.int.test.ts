import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { setUpMonitors, type WatchedMonitor } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const { check, fetching, fetches } = system;

const isPaused = (watched: WatchedMonitor, reason: string | null) =>
  system.monitors.eventually(async () => expect((await watched.get()).pause_reason).toBe(reason));

describe('a monitor whose job cannot be covered', () => {
  it('is paused, keeps watching, and catches up when credits are granted', async () => {
    const watched = await fetching();
    system.monitors.refuse('insufficient_credits');
    const first = system.monitors.platform.upload(watched.channel);
    await check();
    await isPaused(watched, 'insufficient_credits');
    await system.monitors.eventually(() => expect(watched.paused()).toEqual(['insufficient_credits']));
    const more = system.monitors.platform.upload(watched.channel, 2);
    await check();
    expect(await watched.get()).toMatchObject({ status: 'paused', new_videos: 3 });
    await system.emits(watched, first);
    system.monitors.refuse(null);
    await system.monitors.grant(watched.accountId);
    await fetches(watched, [...first, ...more]);
    await system.monitors.eventually(() => expect(watched.emitted()).toEqual([...first, ...more]));
    await isPaused(watched, null);
    await system.monitors.eventually(() => expect(watched.resumed()).toBe(1));
  });

  it('stays paused if the credits are not enough', async () => {
    const watched = await fetching();
    system.monitors.refuse('insufficient_credits');
    system.monitors.platform.upload(watched.channel);
    await check();
    await isPaused(watched, 'insufficient_credits');
    await system.monitors.grant(watched.accountId);
    await check();
    expect((await watched.get()).pause_reason).toBe('insufficient_credits');
    expect([watched.paused(), watched.resumed()]).toEqual([['insufficient_credits'], 0]);
  });
});

describe('a monitor whose account loses its webhook', () => {
  it('is paused, keeps its new videos, and emits all of it when there is one again', async () => {
    const watched = await fetching();
    await system.monitors.webhook.configure(watched.accountId);
    await system.monitors.uses(watched.id);
    await system.monitors.webhook.remove(watched.accountId);
    await isPaused(watched, 'webhook_missing');
    const ids = system.monitors.platform.upload(watched.channel, 2);
    await check();
    expect(await watched.get()).toMatchObject({ status: 'paused', new_videos: 2 });
    expect([watched.emitted(), watched.jobs()]).toEqual([[], []]);
    await system.monitors.webhook.configure(watched.accountId);
    await fetches(watched, ids);
    await system.monitors.eventually(() => expect(watched.emitted()).toEqual(ids));
    await system.monitors.eventually(() =>
      expect([watched.paused(), watched.resumed()]).toEqual([['webhook_missing'], 1]),
    );
  });

  it('also pauses if it receives the removal before the configuration', async () => {
    const watched = await system.monitors.watch();
    const now = Date.now();
    await system.monitors.webhook.remove(watched.accountId, now + 2);
    await system.monitors.webhook.configure(watched.accountId, now + 1);
    await isPaused(watched, 'webhook_missing');
  });

  it('emits again the new videos that the dispatcher got after the webhook was removed', async () => {
    const watched = await system.monitors.watch({ webhookUrl: 'https://a.example/hook' });
    const ids = system.monitors.platform.upload(watched.channel, 2);
    await check();
    await system.monitors.eventually(() => expect(watched.emitted()).toEqual(ids));
    await system.monitors.webhook.refuse(watched.accountId, watched.id, 1);
    await isPaused(watched, 'webhook_missing');
    await system.monitors.webhook.configure(watched.accountId);
    await system.monitors.eventually(() => expect(watched.emitted()).toEqual([...ids, ids[1]]));
  });

  it('is also paused if the webhook is disabled, and if the monitor has its own URL', async () => {
    const watched = await system.monitors.watch({ webhookUrl: 'https://a.example/hook' });
    expect((await watched.get()).status).toBe('active');
    await system.monitors.webhook.disable(watched.accountId);
    await isPaused(watched, 'webhook_missing');
  });

  it('keeps running if it never had one', async () => {
    const accountId = randomUUID();
    await system.monitors.webhook.configure(accountId);
    await system.monitors.webhook.remove(accountId);
    await system.monitors.eventually(async () => {
      const rows = await system.monitors.query('SELECT FROM accounts WHERE id = $1 AND NOT has_webhook', [
        accountId,
      ]);
      expect(rows).toHaveLength(1);
    });
    const watched = await system.monitors.watch({ accountId });
    expect((await watched.get()).status).toBe('active');
  });

  it('uses the newest change, in any order of arrival', async () => {
    const watched = await system.monitors.watch({ webhookUrl: 'https://a.example/hook' });
    const now = Date.now() * 1_000;
    await system.monitors.webhook.configure(watched.accountId, now + 2);
    await system.monitors.uses(watched.id);
    await system.monitors.webhook.remove(watched.accountId, now + 1);
    await system.monitors.webhook.remove(watched.accountId, now);
    await system.monitors.handled(watched.accountId, 3);
    expect((await watched.get()).status).toBe('active');
  });
});

describe('overlapping causes of a pause', () => {
  it('show webhook, then feed, then credits; clearing one shows the next', async () => {
    const watched = await fetching({ webhookUrl: 'https://a.example/hook' });
    system.monitors.refuse('insufficient_credits');
    system.monitors.platform.upload(watched.channel);
    await check();
    await isPaused(watched, 'insufficient_credits');
    system.monitors.platform.is(watched.channel, 'broken');
    for (let failure = 0; failure < 6; failure += 1) await check();
    await isPaused(watched, 'feed_unavailable');
    await system.monitors.webhook.remove(watched.accountId);
    await isPaused(watched, 'webhook_missing');
    await system.monitors.webhook.configure(watched.accountId);
    await isPaused(watched, 'feed_unavailable');
    system.monitors.platform.is(watched.channel, 'well');
    await system.monitors.pass('27 hours');
    await isPaused(watched, 'insufficient_credits');
    expect(watched.resumed()).toBe(0);
    system.monitors.refuse(null);
    await system.monitors.grant(watched.accountId);
    await isPaused(watched, null);
  });
});

describe('the account of a monitor', () => {
  it('that is closed has its monitors cancelled', async () => {
    const watched = await fetching();
    await system.monitors.becomes(watched.accountId, 'closed');
    await system.monitors.eventually(async () => expect((await watched.get()).status).toBe('cancelled'));
  });

  it('that is frozen keeps watching; its jobs are created when it is active again', async () => {
    const watched = await fetching();
    system.monitors.refuse('account_frozen');
    const ids = system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(async () =>
      expect((await watched.get()).last_error).toContain('account_frozen'),
    );
    await system.monitors.eventually(() => expect(watched.emitted()).toEqual(ids));
    system.monitors.refuse(null);
    await system.monitors.becomes(watched.accountId, 'active');
    await fetches(watched, ids);
  });
});
