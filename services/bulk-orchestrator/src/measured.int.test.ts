import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '@tds/test-kit';
import { failedWith } from './test-support/changes.ts';
import { startJobs, type TestJobs, videoIds } from './test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs();
});
afterAll(() => jobs?.stop());

const scrape = () => jobs.harness.scrape('bulk-orchestrator');

it('metrics show how rows ended, each once: delivered, refused by a fact about the video, or failed', async () => {
  const ids = videoIds(12, 'seen');
  jobs.fetcher.end(ids[0]!, failedWith('no_captions'));
  const { job } = await jobs.create({ source: { videoIds: ids } });
  await jobs.reach(job.id, 'completed');
  await eventually(async () => {
    const metric = await scrape();
    const ended = (outcome: string) => metric('tds_job_rows_total', { outcome });
    expect(['delivered', 'refused', 'failed'].map(ended)).toEqual([11, 1, 0]);
  });
});

it('metrics show a due job that no process has taken, and its age', async () => {
  const ids = videoIds(1, 'due');
  jobs.fetcher.hold(ids[0]!);
  const { job } = await jobs.create({ source: { videoIds: ids } });
  const client = await jobs.kit().db.connect();
  const oldest = eventually(async () => {
    await client.query('ROLLBACK');
    await jobs.waiting.makeDue('jobs', { where: 'id = $1', values: [job.id] }, '-5 minutes');
    await client.query('BEGIN');
    await client.query('SELECT FROM jobs WHERE id = $1 FOR UPDATE', [job.id]); // keeps instances from taking it
    const metric = await scrape();
    expect(metric('tds_backlog', { what: 'jobs' })).toBe(1);
    expect(metric('tds_backlog_oldest_seconds', { what: 'jobs' })).toBeGreaterThanOrEqual(300);
  });
  await oldest.finally(() => client.query('ROLLBACK'));
  client.release();
});
