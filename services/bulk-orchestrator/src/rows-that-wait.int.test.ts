import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { failedWith } from './test-support/changes.ts';
import { startJobs, type TestJobs, videoIds } from './test-support/start-jobs.ts';

const HOUR_MS = 3_600_000;

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs();
});
afterAll(() => jobs?.stop());

describe('a live or upcoming video', () => {
  it('is waited for without a credit and without delaying others; a job that only waits for it is not active', async () => {
    const ids = videoIds(3, 'live');
    jobs.fetcher.end(ids[0]!, failedWith('transcript_not_ready', 600));
    const { id } = (await jobs.create({ source: { videoIds: ids } })).job;
    const paused = await jobs.reach(id, 'paused');
    expect(paused).toMatchObject({
      pause_reason: 'waiting_for_broadcast',
      counts: { fetched: 2, pending: 1 },
      credits: { reserved: 0, charged: 2 },
    });
    expect(paused.videos[0]).toMatchObject({ waiting_for: 'broadcast', next_attempt_at: paused.resumes_at });
    const other = await jobs.create({ source: { videoIds: videoIds(1, 'beside') }, tier: 'free' });
    await jobs.reach(other.job.id, 'completed');
    jobs.fetcher.deliver(ids[0]!);
    await jobs.passTime(HOUR_MS);
    const job = await jobs.reach(id, 'completed');
    expect(job.videos[0]).toMatchObject({ status: 'fetched', attempts: 1 });
    expect(jobs.fetcher.chargedFor(id)).toBe(3);
  });

  it('that begins after the wait has failed at once', async () => {
    const ids = videoIds(2, 'tomor');
    jobs.fetcher.end(ids[0]!, failedWith('transcript_not_ready', 18 * 3_600));
    const { id } = (await jobs.create({ source: { videoIds: ids } })).job;
    const job = await jobs.reach(id, 'completed');
    expect(job.videos[0]).toMatchObject({
      status: 'error',
      error_code: 'transcript_not_ready',
      retryable: true,
    });
  });

  it('of a monitor is taken up again for a week: captions that come after eight hours are delivered', async () => {
    const ids = videoIds(1, 'early');
    jobs.fetcher.end(ids[0]!, failedWith('transcript_not_ready', 4 * 3_600));
    const { job } = await jobs.create({ source: { videoIds: ids }, monitorId: 'm4'.repeat(16) });
    for (const _look of [1, 2]) {
      await jobs.reach(job.id, 'paused');
      await jobs.passTime(4 * HOUR_MS);
    }
    expect((await jobs.reach(job.id, 'paused')).videos[0]).toMatchObject({ waiting_for: 'broadcast' });
    jobs.fetcher.deliver(ids[0]!);
    await jobs.passTime(4 * HOUR_MS);
    expect((await jobs.reach(job.id, 'completed')).counts).toMatchObject({ fetched: 1, error: 0 });
  });

  it('of a monitor without the only language that it takes is taken up again: its speech is recognised later', async () => {
    const ids = videoIds(1, 'strict');
    jobs.fetcher.end(ids[0]!, failedWith('language_unavailable'));
    const strict = { source: { videoIds: ids }, monitorId: 'm5'.repeat(16), fallback: false };
    const { job } = await jobs.create(strict);
    await jobs.reach(job.id, 'paused');
    jobs.fetcher.deliver(ids[0]!);
    await jobs.passTime(HOUR_MS);
    expect((await jobs.reach(job.id, 'completed')).counts).toMatchObject({ fetched: 1, error: 0 });
  });

  it('that is not ready within six hours is requeued by a retry', async () => {
    const ids = videoIds(1, 'later');
    jobs.fetcher.end(ids[0]!, failedWith('transcript_not_ready', 12 * 3_600));
    const { job } = await jobs.create({ source: { videoIds: ids } });
    await jobs.reach(job.id, 'failed');
    jobs.fetcher.deliver(ids[0]!);
    expect(await jobs.retry(job.id)).toMatchObject({ requeued: 1 });
    await jobs.reach(job.id, 'completed');
  });
});
