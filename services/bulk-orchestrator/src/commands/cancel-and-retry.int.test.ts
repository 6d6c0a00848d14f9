import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator } from '@tds/contracts';
import { codeOf } from '@tds/test-kit';
import { failedWith } from '../test-support/changes.ts';
import { startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ credits: 5_000 });
});
afterAll(() => jobs?.stop());

/** Ten videos: three are delivered, four are under way, and three wait for a turn that does not come. */
const halfDone = async (name: string) => {
  const ids = videoIds(10, name);
  for (const id of ids.slice(3, 7)) jobs.fetcher.hold(id);
  for (const id of ids.slice(7)) jobs.fetcher.queue(id);
  const { job } = await jobs.create({ source: { videoIds: ids } });
  await jobs.eventually(async () => {
    expect((await jobs.get(job.id)).counts).toMatchObject({ fetched: 3, processing: 4, pending: 3 });
  });
  return { id: job.id, ids };
};

describe('a cancelled job', () => {
  it('releases unbegun rows in its answer; rows under way end and are charged, and then the job has ended', async () => {
    const { id, ids } = await halfDone('cancel');
    const { job } = await jobs.cancel(id);
    expect(job).toMatchObject({
      status: 'cancelled',
      finished_at: null,
      credits: { reserved: 4, charged: 3 },
    });
    expect(job.counts).toMatchObject({ pending: 0, processing: 4, fetched: 3, cancelled: 3 });
    jobs.fetcher.end(ids[3]!, failedWith('no_captions'));
    jobs.fetcher.end(ids[4]!, failedWith('upstream_error'));
    jobs.fetcher.deliver(ids[5]!, ids[6]!);
    const after = await jobs.eventually(async () => {
      const now = await jobs.get(id);
      expect(now.finished_at).not.toBeNull();
      return now;
    });
    expect(after).toMatchObject({ status: 'cancelled', credits: { reserved: 0, charged: 5 } });
    expect(after.counts).toMatchObject({ fetched: 5, error: 1, cancelled: 4, total: 10 });
    expect(jobs.fetcher.chargedFor(id)).toBe(5);
  });

  it('is cancelled once, and cannot be retried', async () => {
    const { id } = await halfDone('again');
    const first = await jobs.cancel(id);
    expect((await jobs.cancel(id)).job).toEqual(first.job);
    expect(await codeOf(jobs.retry(id))).toBe('job_cancelled');
  });

  it('is cancelled even while the fetcher is away, and its credits are released later', async () => {
    const { id } = await halfDone('away');
    jobs.fetcher.fail('pauseBatch', 'service_unavailable');
    const { job } = await jobs.cancel(id);
    expect(job).toMatchObject({ status: 'cancelled', credits: { reserved: 7 } });
    jobs.fetcher.fail('pauseBatch', null);
    await jobs.eventually(async () => {
      await jobs.passTime(60_000);
      expect((await jobs.get(id)).credits.reserved).toBe(4);
    });
    expect(jobs.fetcher.batches.get(id)?.state).toBe('stopped');
  });

  it('that has ended is returned unchanged', async () => {
    const { job } = await jobs.create({ source: { videoIds: videoIds(2, 'done') } });
    const ended = await jobs.reach(job.id, 'completed');
    expect((await jobs.cancel(job.id)).job).toEqual(ended);
  });

  it('of another account is not found', async () => {
    const { job } = await jobs.create({ source: { videoIds: videoIds(1, 'other') } });
    const asked = { accountId: '018f0000-0000-7000-8000-000000000001', jobId: job.id };
    const { getJob, getJobSummary, cancelJob, getJobManifest, deleteJob } = bulkOrchestrator;
    const commands = [getJob, getJobSummary, cancelJob, getJobManifest, deleteJob];
    for (const command of commands)
      expect(await codeOf(jobs.call(command, asked, jobs.context()))).toBe('job_not_found');
    await jobs.reach(job.id, 'completed');
  });
});

describe('a retried job', () => {
  /** One row delivered, one that may be retried, and one that may not. */
  const partlyFailed = async (name: string) => {
    const ids = videoIds(3, name);
    jobs.fetcher.end(ids[1]!, failedWith('translation_refused'));
    jobs.fetcher.end(ids[2]!, failedWith('no_captions'));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    const ended = await jobs.reachInTime(job.id, 'completed');
    expect(ended.counts).toMatchObject({ fetched: 1, error: 2 });
    return { id: job.id, ids, charged: () => jobs.fetcher.chargedFor(job.id) };
  };

  it('retries rows that may succeed, each under a new operation, and charges each row once', async () => {
    const { id, ids, charged } = await partlyFailed('retry');
    jobs.fetcher.deliver(ids[1]!);
    const keyId = '018f0000-0000-7000-8000-0000000000aa';
    const retried = await jobs.retry(id, { keyId });
    expect(retried.requeued).toBe(1);
    expect(retried.job).toMatchObject({ status: 'running', finished_at: null });
    const ended = await jobs.reach(id, 'completed');
    expect(ended.counts).toMatchObject({ fetched: 2, error: 1 });
    expect(ended.videos[1]).toMatchObject({ status: 'fetched', attempts: 4, error_code: null });
    expect(charged()).toBe(2);
    expect(jobs.fetcher.opened.at(-1)).toMatchObject({ batchId: id, keyId });
    const operations = jobs.fetcher.rowsOf(id).map(({ operationId }) => operationId);
    expect([operations.length, new Set(operations).size]).toEqual([6, 6]);
    await jobs.eventually(() => expect(jobs.emittedOf(bulkOrchestrator.jobRetried, id)).toHaveLength(1));
  });

  it('is retried once by ten concurrent requests', async () => {
    const { id, ids, charged } = await partlyFailed('many');
    jobs.fetcher.hold(ids[1]!);
    const answers = await Promise.all(Array.from({ length: 10 }, () => jobs.retry(id)));
    expect(answers.map(({ requeued }) => requeued).toSorted()).toEqual([...Array<number>(9).fill(0), 1]);
    jobs.fetcher.deliver(ids[1]!);
    await jobs.reach(id, 'completed');
    expect(charged()).toBe(2);
  });

  it('without rows that may succeed is returned unchanged', async () => {
    const ids = videoIds(2, 'hope');
    for (const each of ids) jobs.fetcher.end(each, failedWith('video_unavailable'));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    const ended = await jobs.reach(job.id, 'failed');
    expect(ended.videos[0]).toMatchObject({ retryable: false, message: expect.any(String) });
    expect(await jobs.retry(job.id)).toMatchObject({ requeued: 0, job: ended });
  });

  it('counts as an active job of its account', async () => {
    const { id } = await partlyFailed('cap');
    const lasting = videoIds(1, 'lasting');
    jobs.fetcher.hold(lasting[0]!);
    const { job } = await jobs.create({ source: { videoIds: lasting } });
    expect(await codeOf(jobs.retry(id, { tier: 'free' }))).toBe('active_job_cap');
    await jobs.cancel(job.id);
  });
});

describe('a key that may change only what it has begun', () => {
  it('cancels, retries and deletes no job of another key, but retries one whose key was revoked', async () => {
    const by = randomUUID();
    jobs.binds(by);
    const { id, ids } = await halfDone('bound');
    const retry = () => jobs.retry(id, { keyId: by });
    for (const refused of [jobs.cancel(id, by), retry(), jobs.erase(id, by)])
      expect(await codeOf(refused)).toBe('begun_by_another_key');
    await jobs.revoke(jobs.keyId);
    jobs.fetcher.deliver(...ids.slice(3, 7));
    await jobs.reach(id, 'paused');
    expect(await codeOf(jobs.cancel(id, by))).toBe('begun_by_another_key');
    expect((await retry()).job.pause_reason).toBeNull();
    expect((await jobs.cancel(id, by)).job.status).toBe('cancelled');
  });
});
