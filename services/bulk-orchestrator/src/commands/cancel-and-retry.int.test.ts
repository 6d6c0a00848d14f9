import { bulkOrchestrator } from '@tds/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failedWith } from '../test-support/fake-fetcher.ts';
import { codeOf, startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs({ credits: 5_000, limits: { coldWindow: 4, coldClaim: 1, window: 10 } });
});
afterAll(() => jobs?.stop());

/** Ten videos, of which the first three are delivered and the others take for ever. */
const halfDone = async (name: string) => {
  const ids = videoIds(10, name);
  for (const id of ids.slice(3)) jobs.fetcher.hold(id);
  const before = jobs.ledger.charged();
  const { job } = await jobs.create({ source: { videoIds: ids } });
  await jobs.eventually(async () => {
    expect((await jobs.get(job.id)).counts).toMatchObject({ fetched: 3, processing: 4 });
  });
  return { id: job.id, ids, charged: () => jobs.ledger.charged() - before };
};
const closed = (id: string) =>
  jobs.eventually(async () => {
    const job = await jobs.get(id);
    expect(job.counts.processing).toBe(0);
    expect(job.credits.reserved).toBe(0);
    return job;
  });

describe('a cancelled job', () => {
  it('begins nothing more, gives back what it holds, and stays charged for what was delivered', async () => {
    const { id, ids, charged } = await halfDone('cancel');
    const { job } = await jobs.cancel(id);
    expect(job.status).toBe('cancelled');
    expect(job.counts).toMatchObject({ pending: 0, fetched: 3 });
    const after = await closed(id);
    expect(after.counts).toMatchObject({ fetched: 3, cancelled: 7, total: 10 });
    expect(after.credits).toEqual({ reserved: 0, charged: 3 });
    for (const each of ids) jobs.fetcher.deliver(each);
    expect(charged()).toBe(3);
    expect(jobs.ledger.held()).toBe(0);
  });

  it('is cancelled once, and cannot be retried', async () => {
    const { id } = await halfDone('again');
    const first = await jobs.cancel(id);
    await closed(id);
    const second = await jobs.cancel(id);
    expect(second.job).toMatchObject({ status: 'cancelled', finished_at: first.job.finished_at });
    expect(await codeOf(jobs.retry(id))).toBe('job_cancelled');
  });

  it('keeps as fetched what was charged before its credits were given back', async () => {
    const { id, ids, charged } = await halfDone('between');
    // The ledger has settled the row, and the answer is lost: nobody has saved it.
    jobs.ledger.loseAnswer('settleParts', true);
    jobs.fetcher.deliver(ids[3]!);
    await jobs.eventually(() => expect(charged()).toBe(4));
    await jobs.cancel(id);
    jobs.ledger.loseAnswer('settleParts', false);
    const after = await closed(id);
    expect(after.counts).toMatchObject({ fetched: 4, cancelled: 6 });
    expect(after.videos[3]).toMatchObject({
      status: 'fetched',
      credits_charged: 1,
      delivered_language: 'en',
    });
    expect(charged()).toBe(4);
  });

  it('that has ended is answered as it is', async () => {
    const { job } = await jobs.create({ source: { videoIds: videoIds(2, 'done') } });
    const ended = await jobs.reach(job.id, 'completed');
    expect((await jobs.cancel(job.id)).job).toEqual(ended);
  });

  it('of another account is not there', async () => {
    const { job } = await jobs.create({ source: { videoIds: videoIds(1, 'other') } });
    const asked = { accountId: '018f0000-0000-7000-8000-000000000001', jobId: job.id };
    const { getJob, getJobSummary, cancelJob, getJobManifest } = bulkOrchestrator;
    const commands = [getJob, getJobSummary, cancelJob, getJobManifest];
    for (const command of commands)
      expect(await codeOf(jobs.call(command, asked, jobs.context()))).toBe('job_not_found');
    await jobs.reach(job.id, 'completed');
  });
});

describe('a retried job', () => {
  /** One row delivered, one that may be tried again, and one that may not. */
  const partlyFailed = async (name: string) => {
    const ids = videoIds(3, name);
    jobs.fetcher.end(ids[1]!, failedWith('translation_refused'));
    jobs.fetcher.end(ids[2]!, failedWith('no_captions'));
    const before = jobs.ledger.charged();
    const { job } = await jobs.create({ source: { videoIds: ids } });
    const ended = await jobs.reachInTime(job.id, 'completed');
    expect(ended.counts).toMatchObject({ fetched: 1, error: 2 });
    return { id: job.id, ids, charged: () => jobs.ledger.charged() - before };
  };

  it('takes up what may succeed, holds a credit for it anew, and charges each row once', async () => {
    const { id, ids, charged } = await partlyFailed('retry');
    jobs.fetcher.deliver(ids[1]!);
    const retried = await jobs.retry(id);
    expect(retried.requeued).toBe(1);
    expect(retried.job).toMatchObject({ status: 'pending', finished_at: null });
    const ended = await jobs.reach(id, 'completed');
    expect(ended.counts).toMatchObject({ fetched: 2, error: 1 });
    expect(ended.videos[1]).toMatchObject({ status: 'fetched', attempts: 4, error_code: null });
    expect(charged()).toBe(2);
    expect(jobs.ledger.held()).toBe(0);
    await jobs.eventually(() => {
      const told = jobs.received(bulkOrchestrator.jobRetried).filter(({ jobId }) => jobId === id);
      expect(told).toHaveLength(1);
    });
  });

  it('is begun once by ten requests at once', async () => {
    const { id, ids, charged } = await partlyFailed('many');
    jobs.fetcher.hold(ids[1]!);
    const answers = await Promise.all(Array.from({ length: 10 }, () => jobs.retry(id)));
    expect(answers.map(({ requeued }) => requeued).toSorted()).toEqual([...Array<number>(9).fill(0), 1]);
    jobs.fetcher.deliver(ids[1]!);
    await jobs.reach(id, 'completed');
    expect(charged()).toBe(2);
  });

  it('without anything that may succeed is answered as it is', async () => {
    const ids = videoIds(2, 'hope');
    for (const each of ids) jobs.fetcher.end(each, failedWith('video_unavailable'));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    const ended = await jobs.reach(job.id, 'failed');
    expect(await jobs.retry(job.id)).toMatchObject({ requeued: 0, job: ended });
  });

  it('counts towards the active jobs of its account', async () => {
    const { id } = await partlyFailed('cap');
    const lasting = videoIds(1, 'lasting');
    jobs.fetcher.hold(lasting[0]!);
    const { job } = await jobs.create({ source: { videoIds: lasting } });
    expect(await codeOf(jobs.retry(id, 'free'))).toBe('active_job_cap');
    await jobs.cancel(job.id);
  });
});

describe('a job whose account runs out of credits', () => {
  it('pauses, and goes on by itself when credits are granted that cover it', async () => {
    const ids = videoIds(4, 'broke');
    for (const each of ids) jobs.fetcher.end(each, failedWith('translation_refused'));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await jobs.reachInTime(job.id, 'failed');
    for (const each of ids) jobs.fetcher.deliver(each);
    const before = jobs.ledger.charged();
    const taken = jobs.ledger.available() - 1;
    jobs.ledger.give(-taken);
    await jobs.retry(job.id);
    const paused = await jobs.reach(job.id, 'paused');
    expect(paused).toMatchObject({ pause_reason: 'insufficient_credits', counts: { pending: 4 } });
    const granted = { accountId: jobs.account, bucket: 'purchased' as const, amount: 2, ref: 'purchase' };
    const grantedOf = jobs.handlers().subscriptions.creditsGranted;
    jobs.ledger.give(2);
    await grantedOf(granted, jobs.context() as never);
    expect((await jobs.get(job.id)).status).toBe('paused');
    jobs.ledger.give(taken);
    await grantedOf(granted, jobs.context() as never);
    await jobs.reach(job.id, 'completed');
    expect(jobs.ledger.charged() - before).toBe(4);
    expect(jobs.received(bulkOrchestrator.jobResumed).filter(({ jobId }) => jobId === job.id)).toHaveLength(
      1,
    );
  });
});
