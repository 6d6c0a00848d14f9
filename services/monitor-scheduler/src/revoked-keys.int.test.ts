import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { copyDatabase } from '@tds/test-kit';
import { setUpMonitors, type WatchedMonitor } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const { check, fetching, fetches } = system;

const webhookUrl = 'https://app.example/hook';
const isPaused = (watched: WatchedMonitor, reason: string | null) =>
  system.monitors.eventually(async () => expect((await watched.get()).pause_reason).toBe(reason));
const ofKey = async (given = {}) => {
  const keyId = randomUUID();
  return { keyId, watched: await fetching({ keyId, webhookUrl, ...given }) };
};
const revoke = async ({ accountId }: WatchedMonitor, keyId: string) => {
  system.monitors.revoke(keyId);
  await system.monitors.emitRevoked(accountId, keyId);
};

describe('a monitor whose key is revoked at once', () => {
  it('pauses, keeps what it finds, and goes on with it under the key that resumes it, without the old address', async () => {
    const { watched, keyId } = await ofKey();
    await revoke(watched, keyId);
    await isPaused(watched, 'key_revoked');
    const ids = system.monitors.platform.upload(watched.channel, 2);
    await check();
    expect(await watched.get()).toMatchObject({ status: 'paused', new_videos: 2 });
    expect([watched.emitted(), watched.jobs()]).toEqual([[], []]);
    const by = randomUUID();
    expect((await watched.resume(by)).monitor).toMatchObject({
      ...{ status: 'active', pause_reason: null, key_id: by, webhook_url: null },
    });
    await fetches(watched, ids);
    await system.emits(watched, ids);
    expect(watched.jobs()).toMatchObject([{ keyId: by, webhookUrl: null }]);
    expect(watched.events()).toMatchObject([{ webhookUrl: null, webhookKeyId: by }]);
    await system.monitors.eventually(() =>
      expect([watched.paused(), watched.resumed()]).toEqual([['key_revoked'], 1]),
    );
  });

  it('pauses without an event, too: no job is requested for a key before identity was asked', async () => {
    const { watched, keyId } = await ofKey();
    system.monitors.revoke(keyId);
    system.monitors.platform.upload(watched.channel);
    await check();
    await isPaused(watched, 'key_revoked');
    expect(watched.jobs()).toEqual([]);
  });

  it('pauses if it is created while the key is revoked', async () => {
    const [accountId, keyId] = [randomUUID(), randomUUID()];
    await system.monitors.emitRevoked(accountId, keyId);
    system.monitors.revoke(keyId);
    const watched = await fetching({ accountId, keyId });
    await isPaused(watched, 'key_revoked');
  });

  it('stays paused when its database is put back to before the revocation', async () => {
    const { watched, keyId } = await ofKey();
    const copy = await copyDatabase(system.monitors.database);
    await system.monitors.eventually(() => watched.get());
    await revoke(watched, keyId);
    await isPaused(watched, 'key_revoked');
    await copy.putBack();
    await copy.drop();
    await system.monitors.eventually(() => watched.get());
    system.monitors.platform.upload(watched.channel);
    await check();
    await isPaused(watched, 'key_revoked');
    expect(watched.jobs()).toEqual([]);
  });

  it('is not resumed for other accounts, nor changed if it is active or cancelled', async () => {
    const { watched, keyId } = await ofKey();
    expect((await watched.resume(randomUUID())).monitor).toMatchObject({
      ...{ status: 'active', key_id: keyId, webhook_url: webhookUrl },
    });
    await revoke(watched, keyId);
    await isPaused(watched, 'key_revoked');
    await expect(watched.resume(randomUUID(), randomUUID())).rejects.toMatchObject({
      code: 'monitor_not_found',
    });
    await watched.cancel();
    expect((await watched.resume(randomUUID())).monitor).toMatchObject({
      status: 'cancelled',
      key_id: keyId,
    });
  });
});

describe('other monitors', () => {
  it('go on: those of another key, of an account without one, and of a key that was rotated or ended later', async () => {
    const [{ watched: gone, keyId }, later] = [await ofKey(), await ofKey()];
    const { accountId } = gone;
    const others = [await fetching({ accountId, keyId: randomUUID() }), await fetching({ accountId })];
    await system.monitors.emitRevoked(later.watched.accountId, later.keyId, false);
    await revoke(gone, keyId);
    await isPaused(gone, 'key_revoked');
    for (const one of [...others, later.watched]) {
      const ids = system.monitors.platform.upload(one.channel);
      await check();
      await fetches(one, ids);
    }
  });
});
