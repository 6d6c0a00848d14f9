import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { monitorScheduler } from '@tds/contracts';
import { channelAt, type PlatformSimulator, startPlatformSimulator } from '@tds/simulators/platform';
import { doomedProcesses } from '@tds/test-kit';
import { batchesOf } from './test-support/set-up-monitors.ts';
import { startMonitors, type TestMonitors } from './test-support/start-monitors.ts';

const program = path.resolve(import.meta.dirname, 'main.ts');
let monitors: TestMonitors;
let simulator: PlatformSimulator;
const doomed = doomedProcesses(program, () => monitors.environment);
beforeAll(async () => {
  simulator = await startPlatformSimulator({});
  monitors = await startMonitors({ PLATFORM_ORIGIN: simulator.origin });
});
afterAll(async () => {
  doomed.stop();
  await monitors?.stop();
  await simulator?.close();
});

const check = () => monitors.pass('20 minutes');
/** Oldest first, as they are emitted and fetched. */
const upload = (to: string, count: number) =>
  Array.from({ length: count }, () => simulator.upload({ to })).flat();

/** Ends the leases of the dead process. */
const endLeases = () => monitors.rows.endLeases('feeds', 'monitors', 'actions');
const makeDue = (channel: string) =>
  monitors.rows.makeDue('feeds', { where: 'source_id = $1', values: [channel] });

/** Counts events in the outbox, since one that was published but not marked is published again. */
const emitted = async (monitorId: string): Promise<string[]> => {
  const rows = await monitors.query<{ id: string }>(
    `SELECT v ->> 'video_id' AS id FROM messaging.outbox, jsonb_array_elements(payload -> 'videos') WITH ORDINALITY AS emitted (v, place)
     WHERE subject ~ 'new-videos-found' AND payload ->> 'monitorId' = $1 ORDER BY seq, place`,
    [monitorId],
  );
  return rows.map(({ id }) => id);
};

const watch = async (index: number, keyId: string | null = null) => {
  const channel = channelAt(index, 1)?.id ?? '';
  return { channel, watched: await monitors.watch({ autoFetch: true, keyId, source: { channel } }) };
};

describe('a killed process', () => {
  it.each([
    ['new-videos-recorded:check-feeds', 1],
    ['new-videos-emitted:serve-monitors', 2],
    ['batch-fixed:run-actions', 3],
    ['job-begun:run-actions', 4],
  ])(
    'at %s has emitted each video once and has one job for them, after another one continues',
    async (crashAt, index) => {
      const { channel, watched } = await watch(index);
      await monitors.stopService();
      const ids = upload(channel, 2);
      await doomed.dieAt(crashAt, () => makeDue(channel));
      await endLeases();
      await monitors.startService();
      await check();
      const late = upload(channel, 1);
      await check();
      expect(await emitted(watched.id)).toEqual([...ids, ...late]);
      await monitors.eventually(() => expect(batchesOf(watched)).toEqual([ids, late]));
    },
  );

  it.each([
    ['new-videos-emitted:serve-monitors', 5, 0],
    ['batch-fixed:run-actions', 6, 0],
    ['job-begun:run-actions', 7, 1],
  ])('at %s begins no more for a key that was revoked meanwhile', async (crashAt, index, begun) => {
    const keyId = randomUUID();
    const { channel, watched } = await watch(index, keyId);
    await monitors.stopService();
    upload(channel, 2);
    await doomed.dieAt(crashAt, () => makeDue(channel));
    monitors.revoke(keyId);
    await endLeases();
    await monitors.startService();
    upload(channel, 1);
    await check();
    await monitors.eventually(async () => expect((await watched.get()).pause_reason).toBe('key_revoked'));
    expect(watched.jobs()).toHaveLength(begun);
    await check();
    expect(watched.jobs()).toHaveLength(begun);
  });

  it('has given a feed its next address, which a repeat replaces, so that one works', async () => {
    const { changeFeed, getFeed, listFeeds } = monitorScheduler;
    const accountId = randomUUID();
    const change = async () => {
      const request = { accountId, monitorId: null, isEnded: false };
      return (await monitors.call(changeFeed, request, monitors.context())).feed;
    };
    const list = async () => (await monitors.call(listFeeds, { accountId }, monitors.context())).feeds;
    const first = await change();
    await monitors.stopService();
    await doomed.dieAt('transaction-committed:change-feed', change);
    await monitors.startService();
    const second = await list();
    expect(second).not.toEqual([first]);
    const third = await change();
    expect(await list()).toEqual([third]);
    for (const feed of [first, ...second])
      await expect(
        monitors.call(getFeed, { feedId: feed?.id ?? '' }, monitors.context()),
      ).rejects.toMatchObject({ code: 'feed_not_found' });
  });
});
