import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bulkOrchestrator } from '@tds/contracts';
import { startJobs, type TestJobs, videoIds } from '../test-support/start-jobs.ts';

let jobs: TestJobs;
beforeAll(async () => {
  jobs = await startJobs();
});
afterAll(() => jobs?.stop());

describe('a job of a monitor', () => {
  it('is listed with the jobs of its monitor, newest first, through an index of these', async () => {
    const monitorId = 'm1'.repeat(16);
    const ofMonitor = (name: string, given = {}) =>
      jobs.create({ source: { videoIds: videoIds(1, name) }, ...given });
    const first = await ofMonitor('mon1', { monitorId });
    await ofMonitor('mon2', { monitorId: 'm2'.repeat(16) });
    const second = await ofMonitor('mon3', { monitorId });
    const page = { accountId: jobs.account, monitorId, limit: 10, offset: 0 };
    const listed = await jobs.call(bulkOrchestrator.listJobs, page, jobs.context());
    expect(listed.jobs.map(({ id }) => id)).toEqual([second.job.id, first.job.id]);
    const client = await jobs.kit().db.connect();
    await client.query('BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_sort = off');
    const { rows } = await client.query(
      'EXPLAIN SELECT * FROM jobs WHERE account_id = $1 AND monitor_id = $2 ORDER BY created_at DESC, id LIMIT 10',
      [jobs.account, monitorId],
    );
    await client.query('ROLLBACK');
    client.release();
    expect(JSON.stringify(rows)).toContain('jobs_by_monitor');
  });
});
