import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { copyDatabase } from '@tds/test-kit';
import { batchesOf, setUpMonitors, type WatchedMonitor } from './test-support/set-up-monitors.ts';

const system = setUpMonitors();
const { check } = system;

const MORE_THAN_A_FEED_SHOWS = 20;
const comeBack = (watched: WatchedMonitor) => system.monitors.eventually(() => watched.get());

/** A monitor with one emitted and fetched video when its database is copied. */
const copied = async () => {
  const watched = await system.monitors.watch({ autoFetch: true });
  const first = system.monitors.platform.upload(watched.channel);
  await check();
  await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first]));
  const copy = await copyDatabase(system.monitors.database);
  await comeBack(watched);
  return { watched, first, copy };
};
const UNPUBLISHED = 'SELECT id FROM messaging.outbox WHERE published_at IS NULL';
const putBack = async ({ watched, copy }: Awaited<ReturnType<typeof copied>>) => {
  await system.monitors.eventually(async () => expect(await system.monitors.query(UNPUBLISHED)).toEqual([]));
  await copy.putBack();
  await copy.drop();
  await comeBack(watched);
  // Leases of a minute, which the copy has of work that it interrupted.
  for (const table of ['feeds', 'monitors', 'actions'] as const)
    await system.monitors.rows.loseLeases(table, { where: 'lease_until > now()' });
};

describe('a monitor whose database is restored', () => {
  it('emits each video once, also those that no feed shows any more, and creates no job twice', async () => {
    const before = await copied();
    const { watched, first } = before;
    const lost = system.monitors.platform.upload(watched.channel, MORE_THAN_A_FEED_SHOWS);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, lost]));
    await putBack(before);
    await check();
    const late = system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, lost, late]));
    await system.emits(watched, [...first, ...lost, ...late]);
    expect(await watched.get()).toMatchObject({ new_videos: 1 + lost.length + late.length });
  });

  it('has every video in one job and one event, however many were lost', async () => {
    const before = await copied();
    const { watched, first } = before;
    const one = system.monitors.platform.upload(watched.channel);
    await check();
    const other = system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, one, other]));
    await putBack(before);
    const late = system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, one, other, late]));
    await system.emits(watched, [...first, ...one, ...other, ...late]);
    expect(await watched.get()).toMatchObject({ new_videos: 4 });
    // The audit compares the outbox, which also has the events from before the restore.
    const emitted = `SELECT v ->> 'video_id' AS id FROM messaging.outbox, jsonb_array_elements(payload -> 'videos') AS v
      WHERE subject ~ $2 AND payload ->> 'monitorId' = $1`;
    for (const subject of ['new-videos-found', 'automatic-job-begun'])
      expect(await system.monitors.query(emitted, [watched.id, subject])).toHaveLength(4);
  });

  it('puts no videos in a second job if the answer of their first one was lost with the database', async () => {
    const before = await copied();
    const { watched, first } = before;
    system.monitors.loseAnswers(true);
    const lost = system.monitors.platform.upload(watched.channel, 2);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, lost]));
    await putBack(before);
    const late = system.monitors.platform.upload(watched.channel);
    await check();
    system.monitors.loseAnswers(false);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, lost, late]));
  });

  it('requests a lost job again if bulk-orchestrator was restored, too', async () => {
    const before = await copied();
    const { watched, first } = before;
    const lost = system.monitors.platform.upload(watched.channel, 2);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, lost]));
    const [, asked] = watched.jobs();
    system.monitors.loseLastJob(watched.id);
    await putBack(before);
    await system.monitors.eventually(() => expect(watched.jobs()[1]).toEqual({ ...asked, isRestored: true }));
    const late = system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, lost, late]));
  });

  it('requests a job again that bulk-orchestrator alone has lost, once, with its videos and its person', async () => {
    const personId = randomUUID();
    const watched = await system.monitors.watch({ autoFetch: true, personId });
    const ids = system.monitors.platform.upload(watched.channel, 2);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([ids]));
    const saved = "SELECT job_id AS \"jobId\" FROM monitor_jobs WHERE replace(monitor_id::text, '-', '') = $1";
    const [{ jobId } = { jobId: '' }] = await system.monitors.query<{ jobId: string }>(saved, [watched.id]);
    const [asked] = watched.jobs();
    system.monitors.loseLastJob(watched.id);
    await system.monitors.losesJob(watched.accountId, randomUUID());
    expect(watched.jobs()).toEqual([]);
    await system.monitors.losesJob(watched.accountId, jobId);
    await system.monitors.losesJob(watched.accountId, jobId);
    expect(watched.jobs()).toEqual([{ ...asked, personId, isRestored: true }]);
  });

  it('requests a lost job again although the account has as many as it may have', async () => {
    const before = await copied();
    const { watched, first } = before;
    const lost = system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, lost]));
    system.monitors.loseLastJob(watched.id);
    system.monitors.refuse('active_job_cap');
    await putBack(before);
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, lost]));
    system.monitors.refuse(null);
  });

  it('goes on if its lost job is refused', async () => {
    const before = await copied();
    const { watched, first } = before;
    system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toHaveLength(2));
    system.monitors.loseLastJob(watched.id);
    system.monitors.refuse('insufficient_credits');
    await putBack(before);
    await check();
    system.monitors.refuse(null);
    const late = system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(() => expect(batchesOf(watched)).toEqual([first, late]));
  });

  it('stays cancelled: it emits nothing and creates no job', async () => {
    const before = await copied();
    const { watched, first } = before;
    await watched.cancel();
    await putBack(before);
    system.monitors.platform.upload(watched.channel);
    await check();
    await system.monitors.eventually(async () => expect((await watched.get()).status).toBe('cancelled'));
    expect([watched.emitted(), batchesOf(watched)]).toEqual([first, [first]]);
  });

  it('receives the removal of its webhook again, and pauses', async () => {
    const before = await copied();
    const { watched } = before;
    await system.monitors.webhook.configure(watched.accountId);
    await system.monitors.uses(watched.id);
    const paused = () =>
      system.monitors.eventually(async () =>
        expect(await watched.get()).toMatchObject({ status: 'paused', pause_reason: 'webhook_missing' }),
      );
    await system.monitors.webhook.remove(watched.accountId);
    await paused();
    await putBack(before);
    await paused();
  });
});

describe('new videos lost from database and stream', () => {
  /** Deletes all events. */
  const forget = async ({ channel }: WatchedMonitor) => {
    const feed = 'feed_id = (SELECT id FROM feeds WHERE source_id = $1)';
    const ofMonitor = `monitor_id IN (SELECT id FROM monitors WHERE ${feed})`;
    for (const text of [
      `DELETE FROM videos WHERE ${feed} AND number IS NOT NULL`,
      `DELETE FROM monitor_jobs WHERE ${ofMonitor}`,
      `UPDATE monitors SET emitted = 0, fetched = 0, fetching = NULL WHERE ${feed}`,
      'UPDATE feeds SET last_number = 0 WHERE source_id = $1',
    ])
      await system.monitors.query(text, [channel]);
  };

  it('are emitted again with the same id, and are in no second job', async () => {
    const watched = await system.fetching();
    const ids = system.monitors.platform.upload(watched.channel, 2);
    await check();
    await system.fetches(watched, ids);
    await forget(watched);
    await check();
    await system.emits(watched, [...ids, ...ids]);
    expect(new Set(watched.events().map(({ newVideosId }) => newVideosId)).size).toBe(1);
    expect(watched.jobs()).toHaveLength(1);
  });

  it('do not share a job or an id with other videos of the same numbers', async () => {
    const watched = await system.fetching();
    const lost = system.monitors.platform.upload(watched.channel);
    await check();
    await system.fetches(watched, lost);
    await forget(watched);
    system.monitors.platform.remove(watched.channel, 1);
    const others = system.monitors.platform.upload(watched.channel);
    await check();
    await system.fetches(watched, [...lost, ...others]);
    await system.emits(watched, [...lost, ...others]);
    expect(new Set(watched.events().map(({ newVideosId }) => newVideosId)).size).toBe(2);
  });
});
