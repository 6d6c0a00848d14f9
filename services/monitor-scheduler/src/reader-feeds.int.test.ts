import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { monitorScheduler } from '@tds/contracts';
import { copyDatabase } from '@tds/test-kit';
import { setUpMonitors } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const { changeFeed, getFeed, listFeeds } = monitorScheduler;
const change = async (accountId: string, monitorId: string | null, isEnded = false) =>
  (await system.monitors.call(changeFeed, { accountId, monitorId, isEnded }, system.monitors.context())).feed;
const create = async (accountId: string, monitorId: string | null = null) => {
  const feed = await change(accountId, monitorId);
  if (feed === null) throw new Error('it is ended');
  return feed;
};
const end = (accountId: string, monitorId: string | null = null) => change(accountId, monitorId, true);
const get = (feedId: string) => system.monitors.call(getFeed, { feedId }, system.monitors.context());
const list = async (accountId: string) =>
  (await system.monitors.call(listFeeds, { accountId }, system.monitors.context())).feeds;
const gone = { code: 'feed_not_found' };

describe('a feed', () => {
  it('of a monitor and of its account have each one id, which renewing replaces', async () => {
    const watched = await system.monitors.watch();
    const { accountId } = watched;
    const [all, first] = [await create(accountId), await create(accountId, watched.id)];
    const second = await create(accountId, watched.id);
    await expect(get(first.id)).rejects.toMatchObject(gone);
    expect(await get(second.id)).toMatchObject({ accountId, feed: second, monitor: { id: watched.id } });
    expect(await get(all.id)).toEqual({ accountId, feed: all, monitor: null });
    expect(await list(accountId)).toEqual([second, all]);
    await watched.cancel();
    expect(await get(second.id)).toMatchObject({ monitor: { status: 'cancelled' } });
  });

  it('is ended by its account alone, and of no monitor of another one', async () => {
    const watched = await system.monitors.watch();
    const { id } = await create(watched.accountId, watched.id);
    for (const monitorId of [watched.id, 'z'.repeat(32), randomUUID().replaceAll('-', '')])
      for (const act of [create, end])
        await expect(act(randomUUID(), monitorId)).rejects.toMatchObject({ code: 'monitor_not_found' });
    await end(randomUUID());
    expect((await get(id)).accountId).toBe(watched.accountId);
    await Promise.all([1, 2].map(() => end(watched.accountId, watched.id)));
    await expect(get(id)).rejects.toMatchObject(gone);
    expect(await list(watched.accountId)).toEqual([]);
  });

  it('of a frozen account is not found until it is active again, and ends with a closed one', async () => {
    const accountId = randomUUID();
    const { id } = await create(accountId);
    const { ownerState } = system.monitors;
    ownerState.accountStatus = 'frozen';
    await expect(get(id)).rejects.toMatchObject(gone);
    ownerState.accountStatus = 'active';
    expect((await get(id)).accountId).toBe(accountId);
    await system.monitors.becomes(accountId, 'closed');
    await system.monitors.eventually(async () => expect(await list(accountId)).toEqual([]));
  });

  it('that was renewed or ended stays so after a restore of the database', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    const [ended, renewed] = [await create(one), await create(other)];
    const copy = await copyDatabase(system.monitors.database);
    await system.monitors.eventually(() => list(one));
    await end(one);
    await create(other);
    const last = await create(other);
    const unpublished = 'SELECT id FROM messaging.outbox WHERE published_at IS NULL';
    await system.monitors.eventually(async () => expect(await system.monitors.query(unpublished)).toEqual([]));
    await copy.putBack();
    await copy.drop();
    await system.monitors.eventually(async () => {
      await expect(get(ended.id)).rejects.toMatchObject(gone);
      await expect(get(renewed.id)).rejects.toMatchObject(gone);
      expect((await get(last.id)).accountId).toBe(other);
    });
    const feedId = randomUUID();
    const late = { accountId: other, monitorId: null, feedId, changedAt: '2026-01-01T00:00:00.000Z' };
    const { onOwnLostEvents } = system.monitors.handlers();
    await onOwnLostEvents?.readerFeedChanged?.(late, system.monitors.context() as never);
    expect(await list(other)).toEqual([last]);
  });
});
