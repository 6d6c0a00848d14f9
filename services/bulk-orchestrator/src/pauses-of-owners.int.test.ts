import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator } from '@tds/contracts';
import { failedWith, refusedWith } from './test-support/changes.ts';
import { startJobs, type TestJobs, videoIds } from './test-support/start-jobs.ts';

const DAY_MS = 86_400_000;

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ credits: 5_000 });
});
afterAll(() => jobs?.stop());
afterEach(() => {
  jobs.fetcher.money.available = 5_000;
});

/** A job of four videos: one is delivered, one is under way, and two wait for a turn that does not come. */
const underWay = async (name: string, given: { keyId?: string } = {}) => {
  const ids = videoIds(4, name);
  jobs.fetcher.hold(ids[1]!);
  for (const id of ids.slice(2)) jobs.fetcher.queue(id);
  const { job } = await jobs.create({ source: { videoIds: ids }, ...given });
  await jobs.eventually(async () =>
    expect((await jobs.get(job.id)).counts).toMatchObject({ fetched: 1, processing: 1, pending: 2 }),
  );
  return { id: job.id, ids };
};

describe('jobs of a revoked key', () => {
  it('spend nothing more, whatever is bought, until an active key takes them over', async () => {
    const keyId = randomUUID();
    const { id, ids } = await underWay('cutoff', { keyId });
    await jobs.revoke(keyId);
    jobs.fetcher.deliver(ids[1]!);
    const paused = await jobs.reach(id, 'paused');
    expect(paused).toMatchObject({
      pause_reason: 'key_revoked',
      resumes_at: null,
      counts: { fetched: 2, pending: 2 },
    });
    expect(paused.credits).toEqual({ reserved: 0, charged: 2 });
    jobs.fetcher.deliver(...ids);
    await jobs.granted();
    await jobs.passTime(DAY_MS);
    expect((await jobs.get(id)).status).toBe('paused');
    const other = randomUUID();
    expect((await jobs.retry(id, { keyId: other })).requeued).toBe(2);
    expect((await jobs.reach(id, 'completed')).credits.charged).toBe(4);
    expect(jobs.fetcher.opened.at(-1)).toMatchObject({ batchId: id, keyId: other });
  });

  it('continue if the key ended in order', async () => {
    const keyId = randomUUID();
    const { id, ids } = await underWay('order', { keyId });
    await jobs.revoke(keyId, false);
    jobs.fetcher.deliver(...ids);
    await jobs.reach(id, 'completed');
  });

  it('fail after thirty days, and may be retried', async () => {
    const keyId = randomUUID();
    const { id, ids } = await underWay('thirty', { keyId });
    await jobs.revoke(keyId);
    jobs.fetcher.deliver(ids[1]!);
    await jobs.reach(id, 'paused');
    await jobs.passTime(30 * DAY_MS + 1_000);
    const failed = await jobs.reach(id, 'failed');
    expect(failed).toMatchObject({
      error: { code: 'key_revoked' },
      counts: { fetched: 2, error: 2, pending: 0 },
    });
    jobs.fetcher.deliver(...ids);
    expect((await jobs.retry(id)).requeued).toBe(2);
    expect((await jobs.reach(id, 'completed')).error).toBeNull();
  });

  it('hold nothing, even if their rows were being opened at that moment', async () => {
    const keyId = randomUUID();
    const ids = videoIds(3, 'moment');
    for (const id of ids) jobs.fetcher.end(id, failedWith('translation_refused'));
    const { job } = await jobs.create({ source: { videoIds: ids }, keyId });
    await jobs.eventually(async () => expect((await jobs.get(job.id)).videos[2]?.attempts).toBe(1));
    for (const id of ids) jobs.fetcher.queue(id);
    const { submitBatch } = jobs.fetcher.commands;
    jobs.fetcher.commands.submitBatch = async (...asked) => {
      await jobs.revoke(keyId);
      await jobs.eventually(() => expect(jobs.fetcher.batches.get(job.id)?.state).toBe('held'));
      return submitBatch(...asked);
    };
    await jobs.passTime(6_000);
    jobs.fetcher.commands.submitBatch = submitBatch;
    const paused = await jobs.eventually(async () => {
      const now = await jobs.get(job.id);
      expect(now).toMatchObject({ status: 'paused', credits: { reserved: 0 }, counts: { pending: 3 } });
      return now;
    });
    expect(paused.pause_reason).toBe('key_revoked');
    expect(jobs.fetcher.batches.get(job.id)?.state).toBe('held');
    await jobs.cancel(job.id);
  });

  it('also pause if only the fetcher knows of the revocation', async () => {
    const ids = videoIds(2, 'heard');
    for (const id of ids) jobs.fetcher.end(id, failedWith('translation_refused'));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await jobs.eventually(async () => expect((await jobs.get(job.id)).videos[0]?.attempts).toBe(1));
    jobs.fetcher.refuse(refusedWith('key_revoked'));
    await jobs.passTime(6_000);
    expect((await jobs.reach(job.id, 'paused')).pause_reason).toBe('key_revoked');
    jobs.fetcher.refuse(null);
    await jobs.cancel(job.id);
  });
});

describe('jobs of an account', () => {
  it('that is frozen wait, and continue when it is active again', async () => {
    const { id, ids } = await underWay('frozen');
    await jobs.becomes('frozen');
    jobs.fetcher.deliver(ids[1]!);
    expect((await jobs.reach(id, 'paused')).pause_reason).toBe('account_frozen');
    jobs.fetcher.deliver(...ids);
    await jobs.becomes('active');
    await jobs.becomes('active');
    expect((await jobs.reach(id, 'completed')).credits.charged).toBe(4);
  });

  it('that only the fetcher knows as frozen are checked each hour, whatever happens then', async () => {
    const ids = videoIds(2, 'ice');
    for (const id of ids) jobs.fetcher.end(id, failedWith('translation_refused'));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await jobs.reachInTime(job.id, 'failed');
    jobs.fetcher.deliver(...ids);
    jobs.fetcher.refuse(refusedWith('account_frozen'));
    await jobs.retry(job.id);
    expect((await jobs.reach(job.id, 'paused')).pause_reason).toBe('account_frozen');
    jobs.fetcher.refuse(null);
    jobs.fetcher.money.available = 0;
    await jobs.passTime(3_601_000);
    await jobs.eventually(async () =>
      expect((await jobs.get(job.id)).pause_reason).toBe('insufficient_credits'),
    );
    const [{ isLater }] = await jobs.query('SELECT due_at > now() AS "isLater" FROM jobs WHERE id = $1', [
      job.id,
    ]);
    expect(isLater).toBe(true);
    jobs.fetcher.money.available = 2;
    await jobs.granted();
    await jobs.reach(job.id, 'completed');
  });

  it('that is closed are cancelled, once', async () => {
    const { id } = await underWay('closed');
    await jobs.becomes('closed');
    await jobs.becomes('closed');
    expect((await jobs.get(id)).status).toBe('cancelled');
    await jobs.eventually(async () => expect((await jobs.get(id)).credits.reserved).toBe(1));
  });
});

describe('jobs that wait for credits', () => {
  /** Failed jobs, retried on an account without credits. */
  const broke = async (name: string, count: number) => {
    const ids = videoIds(count, name);
    for (const id of ids) jobs.fetcher.end(id, failedWith('translation_refused'));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await jobs.reachInTime(job.id, 'failed');
    jobs.fetcher.deliver(...ids);
    return job.id;
  };

  it('continue oldest first, as many as a grant covers; the others emit nothing', async () => {
    const all = [await broke('oldest', 4), await broke('second', 4), await broke('newest', 4)];
    jobs.fetcher.money.available = 0;
    for (const id of all) {
      await jobs.retry(id);
      expect((await jobs.reach(id, 'paused')).pause_reason).toBe('insufficient_credits');
    }
    const [oldest = '', second = '', newest = ''] = all;
    const resumed = (id: string) => jobs.emittedOf(bulkOrchestrator.jobResumed, id).length;
    jobs.fetcher.money.available = 6;
    await jobs.granted();
    await jobs.reach(oldest, 'completed');
    await jobs.eventually(async () => {
      expect((await jobs.get(second)).counts).toMatchObject({ fetched: 2, pending: 2 });
      expect((await jobs.get(second)).status).toBe('paused');
    });
    expect([resumed(newest), jobs.fetcher.chargedFor(newest)]).toEqual([0, 0]);
    jobs.fetcher.money.available = 100;
    await jobs.granted();
    await jobs.reach(second, 'completed');
    await jobs.reach(newest, 'completed');
  });

  it('get the credits that another job of the account releases', async () => {
    const waiting = await broke('waiter', 2);
    const { id } = await underWay('giver');
    jobs.fetcher.money.available = 0;
    await jobs.retry(waiting);
    await jobs.reach(waiting, 'paused');
    await jobs.cancel(id);
    expect((await jobs.reach(waiting, 'completed')).credits.charged).toBe(2);
  });

  it('are checked each hour, and fail after thirty days', async () => {
    const id = await broke('hourly', 2);
    jobs.fetcher.money.available = 0;
    await jobs.retry(id);
    await jobs.reach(id, 'paused');
    const asked = () => jobs.fetcher.opened.filter(({ batchId }) => batchId === id).length;
    const before = asked();
    await jobs.passTime(3_601_000);
    await jobs.eventually(() => expect(asked()).toBe(before + 1));
    await jobs.passTime(30 * DAY_MS);
    expect((await jobs.reach(id, 'failed')).error?.code).toBe('insufficient_credits');
  });
});
