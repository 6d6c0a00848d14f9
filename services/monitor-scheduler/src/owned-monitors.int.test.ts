import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { codeOf, copyDatabase } from '@tds/test-kit';
import { setUpMonitors } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const { check, fetches } = system;
const webhookUrl = 'https://app.example/hook';

describe('a monitor whose fetching or words another key changes', () => {
  it.each([
    ['a key', randomUUID()],
    ['a session', null],
  ])('is paid for by %s from then on, and no longer ends with the key before', async (_who, keyId) => {
    const before = randomUUID();
    const watched = await system.monitors.watch({ keyId: before });
    const changed = await watched.change({ autoFetch: true, words: ['the'], keyId });
    expect(changed.monitor).toMatchObject({ auto_fetch: true, key_id: keyId });
    system.monitors.revoke(before);
    await system.monitors.emitRevoked(watched.accountId, before);
    const ids = system.monitors.platform.upload(watched.channel, 2);
    await check();
    await fetches(watched, ids);
    expect(watched.jobs()).toMatchObject([{ keyId }]);
    expect(await watched.get()).toMatchObject({ status: 'active', pause_reason: null });
  });

  it('stays with its key if nothing changes that spends, or it waits for a key that resumes it', async () => {
    const before = randomUUID();
    const watched = await system.monitors.watch({ autoFetch: true, words: ['the'], keyId: before });
    for (const change of [
      { mail: 'now' },
      { words: ['the'], autoFetch: true },
      { words: [], autoFetch: false },
    ])
      expect((await watched.change({ ...change, keyId: null })).monitor.key_id).toBe(before);
    await system.monitors.emitRevoked(watched.accountId, before);
    await system.monitors.eventually(async () => expect((await watched.get()).status).toBe('paused'));
    const waiting = { status: 'paused', pause_reason: 'key_revoked', key_id: before };
    expect((await watched.change({ autoFetch: true, keyId: null })).monitor).toMatchObject(waiting);
  });

  it('sends to the webhook URL of the key before until that key ends', async () => {
    const before = randomUUID();
    const watched = await system.monitors.watch({ keyId: before, webhookUrl });
    const by = randomUUID();
    await watched.change({ autoFetch: true, keyId: by });
    const ids = system.monitors.platform.upload(watched.channel);
    await check();
    await fetches(watched, ids);
    const hook = { webhookUrl, webhookKeyId: before };
    expect([watched.jobs(), watched.events()]).toMatchObject([[{ keyId: by, ...hook }], [hook]]);
    await system.monitors.emitRevoked(watched.accountId, before);
    await system.monitors.eventually(async () =>
      expect(await watched.get()).toMatchObject({ status: 'active', webhook_url: null, key_id: by }),
    );
  });

  it('goes on with its videos if it lost that URL while the answer about their job was lost', async () => {
    const [before, by] = [randomUUID(), randomUUID()];
    const watched = await system.monitors.watch({ keyId: before, webhookUrl });
    await watched.change({ autoFetch: true, keyId: by });
    system.monitors.loseAnswers(true);
    const ids = system.monitors.platform.upload(watched.channel);
    await check();
    await fetches(watched, ids);
    await system.monitors.emitRevoked(watched.accountId, before);
    await system.monitors.eventually(async () => expect((await watched.get()).webhook_url).toBeNull());
    system.monitors.loseAnswers(false);
    const later = system.monitors.platform.upload(watched.channel);
    await check();
    await check();
    await fetches(watched, [...ids, ...later]);
  });

  it('is that of the last one after two changes at once, and of the same one after a restore', async () => {
    const watched = await system.monitors.watch({ keyId: randomUUID() });
    const copy = await copyDatabase(system.monitors.database);
    await system.monitors.eventually(() => watched.get());
    const keys: string[] = [randomUUID(), randomUUID()];
    await Promise.all(
      keys.map((keyId, at) => watched.change({ autoFetch: true, words: [`word ${at}`], keyId })),
    );
    const { words = [], key_id } = await watched.get();
    expect(words).toEqual([`word ${keys.indexOf(String(key_id))}`]);
    await system.monitors.eventually(async () =>
      expect(await system.monitors.query('SELECT FROM messaging.outbox WHERE published_at IS NULL')).toEqual(
        [],
      ),
    );
    await copy.putBack();
    await copy.drop();
    await system.monitors.eventually(async () => expect(await watched.get()).toMatchObject({ words, key_id }));
  });
});

describe('a key that may change only what it has begun', () => {
  it('changes and cancels its own monitor, and no other one', async () => {
    const keyId = randomUUID();
    system.monitors.binds(keyId);
    const others = await system.monitors.watch({ keyId: randomUUID() });
    for (const refused of [others.change({ mail: 'none', keyId }), others.cancel(keyId)])
      expect(await codeOf(refused)).toBe('begun_by_another_key');
    expect(await others.get()).toMatchObject({ status: 'active', auto_fetch: false });
    const own = await system.monitors.watch({ keyId });
    expect((await own.change({ autoFetch: true, keyId })).monitor).toMatchObject({ key_id: keyId });
    expect((await own.cancel(keyId)).monitor.status).toBe('cancelled');
  });
});
